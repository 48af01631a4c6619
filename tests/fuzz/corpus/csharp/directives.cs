#if A
class A { int x; }
#elif B
class B { 
#else
#endif
#endif
}