using System;
using UnityEngine;
using UnityEngine.SceneManagement;

namespace Multiverse.Editor
{
    /// <summary>
    /// Paths of the GameObjects of the active scene. Every object has exactly one path that is shown,
    /// and that path finds this very object.
    /// <code>
    ///     ScenePaths paths = ScenePaths.OfActiveScene();      // throws ERR_NO_SCENE
    ///     GameObject panel = paths.Get("/Canvas/Panel[1]");   // throws ERR_OBJECT_NOT_FOUND
    ///     paths.PathOf(panel)
    /// </code>
    /// It remembers what it counted: make one for each call, and a new one after objects were added,
    /// removed, moved or renamed, or a pause.
    /// </summary>
    public sealed class ScenePaths
    {
        public Scene Scene { get { throw new NotImplementedException(); } }

        public static ScenePaths OfActiveScene() { throw new NotImplementedException(); }

        /// <summary>null: there is none.</summary>
        public GameObject Find(string path) { throw new NotImplementedException(); }

        /// <summary>As Find, or throws NotFound.</summary>
        public GameObject Get(string path) { throw new NotImplementedException(); }

        /// <summary>null: it is not in this scene.</summary>
        public string PathOf(GameObject o) { throw new NotImplementedException(); }

        /// <summary>ERR_OBJECT_NOT_FOUND, with what was probably meant.</summary>
        public ToolError NotFound(string path) { throw new NotImplementedException(); }
    }
}
