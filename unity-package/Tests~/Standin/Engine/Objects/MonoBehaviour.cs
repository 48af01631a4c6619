using System.Collections;
using Standin;

namespace UnityEngine
{
    [NativeClass(114, "MonoBehaviour", Abstract = true, Multiple = true)]
    public class MonoBehaviour : Behaviour
    {
        [NativeHidden] internal uint m_EditorHideFlags;
        [NativeType("PPtr<MonoScript>")] internal Object m_Script;
        [NativeHidden] internal string m_Name = "";
        [NativeHidden] internal string m_EditorClassIdentifier = "";
        /// <summary>Awake was called or would have been; OnDestroy requires it.</summary>
        [System.NonSerialized] internal bool isAwake;

        public bool useGUILayout { get { return true; } set { } }

        public Coroutine StartCoroutine(IEnumerator routine) { return Coroutine.Start(this, routine); }
        public void StopCoroutine(Coroutine routine) { Coroutine.Stop(this, routine); }
        public void StopCoroutine(IEnumerator routine) { Coroutine.Stop(this, routine); }
        public void StopAllCoroutines() { Coroutine.StopAll(this); }
        public void Invoke(string methodName, float time)
        {
            Coroutine.Start(this, Delayed.Call(this, methodName, time));
        }

        public static void print(object message) { Debug.Log(message); }
    }
}
