using System;
using UnityEditor;
using UnityEditor.SceneManagement;
using UnityEngine.SceneManagement;

namespace Multiverse.Editor
{
    /// <summary>
    /// Counts what may have changed what tools show of the scene, by whomever, from the first question on:
    /// a higher number means that it is worth another look. It begins with the time, so that it also grows
    /// from one domain, and one editor, to the next. What running code does without telling the Editor is
    /// not counted. Main thread only.
    /// </summary>
    static class SceneChanges
    {
        static SceneChanges()
        {
            Count = DateTimeOffset.UtcNow.ToUnixTimeMilliseconds();
            EditorApplication.hierarchyChanged += Add;
            EditorApplication.projectChanged += Add; /* prefabs, and names of assets */
            EditorSceneManager.sceneOpened += (opened, mode) => Add();
            EditorSceneManager.sceneClosed += closed => Add();
            EditorSceneManager.newSceneCreated += (made, setup, mode) => Add();
            EditorSceneManager.activeSceneChangedInEditMode += (old, now) => Add();
            SceneManager.activeSceneChanged += (old, now) => Add();
            Compat.OnUndoRedo((name, isRedo) => Add());
            Compat.OnObjectsChanged(Add);
        }

        public static long Count { get; private set; }

        /// <summary>For a tool that has changed something: Unity tells of it later, if at all.</summary>
        public static void Add() { Count++; }
    }
}
