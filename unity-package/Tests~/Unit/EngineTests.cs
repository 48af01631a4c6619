using System.Collections.Generic;
using System.Text.RegularExpressions;
using NUnit.Framework;
using UnityEditor;
using UnityEditorInternal;
using UnityEngine;
using UnityEngine.TestTools;
using Object = UnityEngine.Object;

namespace Standin.Tests
{
    /// <summary>Objects, components and the tree of a scene.</summary>
    public class EngineTests : EngineFixture
    {
        static GameObject Make(string name, GameObject parent = null)
        {
            var created = new GameObject(name);
            if (parent != null)
                created.transform.SetParent(parent.transform);
            return created;
        }

        static MissingScript AddMissing(GameObject to)
        {
            var missing = new MissingScript();
            ComponentAdding.Attach(to, missing);
            return missing;
        }

        [Test]
        public void ADestroyedObjectEqualsNull()
        {
            GameObject a = Make("A"), b = Make("B", a);
            Transform t = b.transform;
            Object.DestroyImmediate(a);
            Assert.IsTrue(a == null && b == null && t == null && !t);
            Assert.IsTrue(a != b);
            Assert.IsTrue(a.Equals(null));
            Assert.IsFalse((object)a == null);
            Assert.Throws<MissingReferenceException>(() => t.gameObject.ToString());
            Assert.AreEqual(0, Scene.Roots.Count);
        }

        [Test]
        public void RootsAndChildrenInOrder()
        {
            GameObject a = Make("A"), b = Make("B"), c = Make("C", a), d = Make("D", a);
            Assert.AreEqual(new[] { a, b }, a.scene.GetRootGameObjects());
            Assert.AreEqual(1, d.transform.GetSiblingIndex());
            d.transform.SetAsFirstSibling();
            Assert.AreSame(d.transform, a.transform.GetChild(0));
            c.transform.SetParent(null);
            Assert.AreEqual(2, c.transform.GetSiblingIndex());
            Assert.AreSame(a.transform, d.transform.root);
            a.transform.SetParent(d.transform);
            Assert.IsNull(a.transform.parent);
            Assert.AreEqual(4, a.transform.hierarchyCount + b.transform.hierarchyCount + c.transform.hierarchyCount);
        }

        [Test]
        public void TheWorldPositionStaysUnlessToldOtherwise()
        {
            GameObject a = Make("A"), b = Make("B");
            a.transform.position = new Vector3(1, 2, 3);
            a.transform.localScale = Vector3.one * 2;
            a.transform.rotation = Quaternion.Euler(0, 90, 0);
            b.transform.position = new Vector3(5, 5, 5);
            b.transform.SetParent(a.transform);
            Assert.IsTrue(b.transform.position == new Vector3(5, 5, 5));
            Assert.AreEqual(0.5f, b.transform.localScale.x, 1e-5);
            Assert.IsTrue(a.transform.TransformPoint(b.transform.localPosition) == new Vector3(5, 5, 5));
            b.transform.SetParent(null, true);
            b.transform.SetParent(a.transform, false);
            Assert.IsTrue(b.transform.localPosition == new Vector3(5, 5, 5));
        }

        [Test]
        public void FindReturnsActiveObjects()
        {
            GameObject a = Make("A"), b = Make("B", a), c = Make("C", b);
            Assert.AreSame(c, GameObject.Find("C"));
            Assert.AreSame(c, GameObject.Find("B/C"));
            Assert.AreSame(c, GameObject.Find("/A/B/C"));
            Assert.IsNull(GameObject.Find("/B"));
            b.SetActive(false);
            Assert.IsNull(GameObject.Find("C"));
            Assert.IsTrue(c.activeSelf && !c.activeInHierarchy);
            Assert.AreSame(c.transform, a.transform.Find("B/C"));
            Assert.AreSame(a.transform, c.transform.Find("../.."));
        }

        [Test]
        public void RequiredComponentsComeFirst()
        {
            GameObject a = Make("A");
            Assert.IsNotNull(a.AddComponent<Needier>());
            var names = new List<string>();
            foreach (Component component in a.GetComponents<Component>())
                names.Add(component.GetType().Name);
            Assert.AreEqual(new[] { "Transform", "Creature", "Needy", "Everything", "Needier" }, names);
            LogAssert.Expect(LogType.Error, "Can't remove Needy because Needier (Script) depends on it");
            Object.DestroyImmediate(a.GetComponent<Needy>());
            Assert.IsNotNull(a.GetComponent<Needy>());
            Object.DestroyImmediate(a.GetComponent<Creature>());
            Assert.AreEqual(4, a.GetComponents<Component>().Length, "the Everything is a Creature, too");
        }

        [Test]
        public void RefusedComponentsAreNotAdded()
        {
            GameObject a = Make("A");
            a.AddComponent<LonelyChild>();
            LogAssert.Expect(LogType.Error, new Regex("^Can't add component 'Lonely' to A because such a component"));
            Assert.IsNull(a.AddComponent<Lonely>() == null ? null : "added");
            LogAssert.Expect(LogType.Error, new Regex("because it is abstract"));
            Assert.IsTrue(a.AddComponent<Idea>() == null);
            LogAssert.Expect(LogType.Error, new Regex("because it is abstract"));
            Assert.IsTrue(a.AddComponent<Thinker>() == null);
            LogAssert.Expect(LogType.Error, new Regex("already added"));
            Assert.IsTrue(a.AddComponent<Transform>() == null);
            LogAssert.Expect(LogType.Error, new Regex("invalid type"));
            Assert.IsTrue(a.AddComponent(typeof(string)) == null);
            a.AddComponent<Rigidbody>();
            LogAssert.Expect(LogType.Error, new Regex("conflicts with the existing 'Rigidbody'"));
            Assert.IsTrue(a.AddComponent<BoxCollider2D>() == null);
            LogAssert.Expect(LogType.Error, new Regex("already added"));
            Assert.IsTrue(a.AddComponent<Rigidbody>() == null);
            a.AddComponent<BoxCollider>();
            Assert.IsTrue(a.AddComponent<BoxCollider>() != null);
            LogAssert.Expect(LogType.Error, new Regex("because it is abstract"));
            Assert.IsTrue(a.AddComponent(typeof(Collider)) == null);
        }

        [Test]
        public void ATransformBecomesARectTransform()
        {
            GameObject a = Make("A"), b = Make("B", a);
            a.transform.localPosition = new Vector3(1, 2, 3);
            Transform old = a.transform;
            old.localFileId = 44;
            a.AddComponent<Widget>();
            var rect = a.transform as RectTransform;
            Assert.IsNotNull(rect);
            Assert.IsTrue(old == null);
            Assert.AreEqual(new Vector2(1, 2), rect.anchoredPosition);
            Assert.AreEqual(3, rect.localPosition.z);
            Assert.AreEqual(new Vector2(100, 100), rect.sizeDelta);
            Assert.AreEqual(44, rect.localFileId);
            Assert.AreSame(rect, b.transform.parent);
            Assert.AreSame(rect, Scene.Roots[0]);
            Assert.AreEqual(2, a.GetComponents<Component>().Length);
        }

        [Test]
        public void AMissingScriptIsNullInTheList()
        {
            GameObject a = Make("A");
            a.AddComponent<Creature>();
            AddMissing(a);
            a.AddComponent<Needy>();
            var list = new List<Component>();
            a.GetComponents(list);
            Assert.AreEqual(4, list.Count);
            Assert.IsNull((object)list[2]);
            Assert.AreEqual(1, a.GetComponents<Creature>().Length);
            Assert.AreEqual(3, a.GetComponents<MonoBehaviour>().Length);
            Assert.AreEqual(1, GameObjectUtility.GetMonoBehavioursWithMissingScriptCount(a));
            Assert.AreEqual(1, GameObjectUtility.RemoveMonoBehavioursWithMissingScript(a));
            Assert.AreEqual(3, a.GetComponents<Component>().Length);
        }

        [Test]
        public void ComponentsMoveButNeverAboveTheTransform()
        {
            GameObject a = Make("A");
            Component one = a.AddComponent<Creature>(), two = a.AddComponent<Needy>();
            Assert.IsFalse(ComponentUtility.MoveComponentUp(one));
            Assert.IsFalse(ComponentUtility.MoveComponentDown(two));
            Assert.IsFalse(ComponentUtility.MoveComponentDown(a.transform));
            Assert.IsTrue(ComponentUtility.MoveComponentUp(two));
            Assert.AreSame(two, a.GetComponents<Component>()[1]);
            Undo.PerformUndo();
            Assert.AreSame(one, a.GetComponents<Component>()[1]);
        }

        [Test]
        public void ResetAndOnValidateAreCalled()
        {
            var clamped = Make("A").AddComponent<Clamped>();
            Assert.IsTrue(clamped.wasReset);
            Assert.AreEqual(1, clamped.validated);
        }

        [Test]
        public void OnDestroyRequiresAwake()
        {
            GameObject a = Make("A"), b = Make("B");
            b.SetActive(false);
            Watcher.Received = "";
            Object.DestroyImmediate(b.AddComponent<Watcher>());
            Assert.AreEqual("", Watcher.Received);
            Object.DestroyImmediate(a.AddComponent<Watcher>());
            Assert.AreEqual("Awake OnDestroy ", Watcher.Received);
        }

        [Test]
        public void ACopyRefersToItself()
        {
            GameObject a = Make("A"), b = Make("B", a), other = Make("Other");
            var script = a.AddComponent<Everything>();
            script.target = b.transform;
            script.targets = new List<Transform> { other.transform };
            GameObject copy = Object.Instantiate(a);
            Assert.AreEqual("A(Clone)", copy.name);
            var copied = copy.GetComponent<Everything>();
            Assert.AreSame(copy.transform.GetChild(0), copied.target);
            Assert.AreSame(other.transform, copied.targets[0]);
            Assert.AreEqual(3, Scene.Roots.Count);
        }

        [Test]
        public void AHiddenObjectIsInNoScene()
        {
            GameObject hidden = EditorUtility.CreateGameObjectWithHideFlags("", HideFlags.HideAndDontSave);
            hidden.SetActive(false);
            Assert.IsNotNull(hidden.AddComponent<Widget>());
            var so = new SerializedObject(hidden.GetComponent<Widget>());
            so.FindProperty("m_Enabled").boolValue = false;
            so.ApplyModifiedPropertiesWithoutUndo();
            Object.DestroyImmediate(hidden);
            Assert.AreEqual(0, Scene.Roots.Count);
            Assert.IsFalse(Scene.IsDirty);
        }

        [Test]
        public void DestroyingAnAssetIsRefused()
        {
            var note = ScriptableObject.CreateInstance<Note>();
            note.isPersistent = true;
            Assert.IsTrue(EditorUtility.IsPersistent(note));
            LogAssert.Expect(LogType.Error, new Regex("^Destroying assets is not permitted"));
            Object.DestroyImmediate(note);
            Assert.IsTrue(note != null);
            Object.DestroyImmediate(note, true);
            Assert.IsTrue(note == null);
        }

        [TestCase("m_UseGravity", "Use Gravity")]
        [TestCase("chaseSpeed", "Chase Speed")]
        [TestCase("_hp", "Hp")]
        [TestCase("kMaxURLs", "Max UR Ls")]
        [TestCase("value2", "Value 2")]
        [TestCase("near clip plane", "Near clip plane")]
        public void VariableNamesAreNicified(string name, string title)
        {
            Assert.AreEqual(title, ObjectNames.NicifyVariableName(name));
        }
    }
}
