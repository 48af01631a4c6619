using System;
using UnityEditor;
using UnityEditor.SceneManagement;
using UnityEngine.SceneManagement;

namespace Multiverse.Editor
{
    /// <summary>
    /// Counts changes that may affect what tools show of the scene, since the first use. A higher
    /// number means that the scene should be read again. The count starts at the current time, so
    /// that it also grows across domains and editors. Changes by running code that the Editor does
    /// not report are not counted. Main thread only.
    /// </summary>
    static class SceneChanges
    {
        static SceneChanges()
        {
            Count = DateTimeOffset.UtcNow.ToUnixTimeMilliseconds();
            EditorApplication.hierarchyChanged += Add;
            EditorApplication.projectChanged += Add; /* prefabs and asset names */
            EditorSceneManager.sceneOpened += (opened, mode) => Add();
            EditorSceneManager.sceneClosed += closed => Add();
            EditorSceneManager.newSceneCreated += (created, setup, mode) => Add();
            EditorSceneManager.activeSceneChangedInEditMode += (old, now) => Add();
            SceneManager.activeSceneChanged += (old, now) => Add();
            Compat.OnUndoRedo((name, isRedo) => Add());
            Compat.OnObjectsChanged(Add);
        }

        public static long Count { get; private set; }

        /// <summary>Called by tools after a change, because Unity reports it later or not at
        /// all.</summary>
        public static void Add() { Count++; }
    }
}
