using System;
using System.Collections.Generic;
using UnityEditor;
using UnityEditor.SceneManagement;
using UnityEngine;
using UnityEngine.SceneManagement;

namespace Standin.Host
{
    using Answer = Dictionary<string, object>;

    /// <summary>A user's actions in the Scene, Hierarchy and Inspector windows, with undo.</summary>
    static class SceneCommands
    {
        public static void Add(Dictionary<string, Command> commands)
        {
            commands["edit"] = new Command { Begin = Edit };
            commands["hierarchy"] = new Command { Begin = Hierarchy };
            commands["undo"] = new Command { Begin = a => Do(Undo.PerformUndo) };
            commands["redo"] = new Command { Begin = a => Do(Undo.PerformRedo) };
            commands["open"] = new Command { Begin = Open };
            commands["save"] = new Command { Begin = a => Do(() => EditorSceneManager.SaveOpenScenes()) };
            commands["refresh"] = new Command { Begin = a => Do(AssetDatabase.Refresh) };
        }

        static Answer Do(Action action)
        {
            action();
            return new Answer();
        }

        static Answer Open(Arguments arguments)
        {
            Scene scene = EditorSceneManager.OpenScene(arguments.Text("path"), OpenSceneMode.Single);
            return new Answer { { "path", scene.path } };
        }

        /// <summary>Find "/Root/Child" in the active scene; the first of duplicate names.</summary>
        static GameObject Find(string path)
        {
            string[] names = path.Trim('/').Split('/');
            Transform at = null;
            foreach (GameObject root in SceneManager.GetActiveScene().GetRootGameObjects())
                if (at == null && root.name == names[0])
                    at = root.transform;
            for (int i = 1; at != null && i < names.Length; i++)
                at = Child(at, names[i]);
            if (at == null)
                throw new ArgumentException("no GameObject at " + path);
            return at.gameObject;
        }

        static Transform Child(Transform parent, string name)
        {
            for (int i = 0; i < parent.childCount; i++)
                if (parent.GetChild(i).name == name)
                    return parent.GetChild(i);
            return null;
        }

        static Answer Edit(Arguments arguments)
        {
            GameObject target = Find(arguments.Text("path"));
            UnityEngine.Object edited = target;
            if (arguments.Has("component"))
            {
                Component[] components = target.GetComponents<Component>();
                int index = arguments.Whole("component", 0);
                if (index < 0 || index >= components.Length)
                    throw new ArgumentException("no component " + index);
                edited = components[index];
            }
            var data = new SerializedObject(edited);
            SerializedProperty property = data.FindProperty(arguments.Text("field"));
            if (property == null)
                throw new ArgumentException("no field " + arguments.Text("field"));
            Undo.IncrementCurrentGroup();
            FieldEntry.Set(property, arguments.Get("value"));
            data.ApplyModifiedProperties();
            return new Answer();
        }

        static Answer Hierarchy(Arguments arguments)
        {
            Undo.IncrementCurrentGroup();
            switch (arguments.Text("action"))
            {
                case "create": Create(arguments); break;
                case "delete": Undo.DestroyObjectImmediate(Find(arguments.Text("path"))); break;
                case "rename": Rename(arguments); break;
                case "move": Move(arguments); break;
                default: throw new ArgumentException("action is create, delete, rename or move");
            }
            return new Answer();
        }

        static void Create(Arguments arguments)
        {
            var created = new GameObject(arguments.Text("name", "GameObject"));
            if (arguments.Has("parent"))
                created.transform.SetParent(Find(arguments.Text("parent")).transform, false);
            Undo.RegisterCreatedObjectUndo(created, "Create " + created.name);
            EditorSceneManager.MarkSceneDirty(created.scene);
        }

        static void Rename(Arguments arguments)
        {
            GameObject target = Find(arguments.Text("path"));
            Undo.RecordObject(target, "Rename");
            target.name = arguments.Text("name");
        }

        static void Move(Arguments arguments)
        {
            Transform target = Find(arguments.Text("path")).transform;
            Transform parent = arguments.Has("parent") ? Find(arguments.Text("parent")).transform : null;
            Undo.SetTransformParent(target, parent, "Parent");
        }
    }
}
