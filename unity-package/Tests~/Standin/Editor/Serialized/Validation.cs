using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>Calls OnValidate after a script's fields were changed from outside.</summary>
    internal static class Validation
    {
        public static void Send(Object target)
        {
            if ((target is MonoBehaviour && !(target is MissingScript)) || target is ScriptableObject)
                Messages.Send(target, "OnValidate");
        }
    }

    /// <summary>Marks scenes and assets with unsaved changes.</summary>
    internal static class Dirtiness
    {
        public static void Mark(Object target)
        {
            if ((object)target == null)
                return;
            target.dirtyCount++;
            SceneData scene = SceneOf(target);
            if (scene != null && (target.m_ObjectHideFlags & HideFlags.DontSaveInEditor) == 0)
                UnityEditor.SceneManagement.EditorSceneManager.MarkSceneDirty(scene.Scene);
        }

        /// <summary>The scene that contains it, or contained it when it was destroyed; null:
        /// none.</summary>
        public static SceneData SceneOf(Object target)
        {
            var go = target as GameObject;
            var component = target as Component;
            if ((object)go == null && (object)component != null)
                go = component.m_GameObject;
            return (object)go == null ? SceneSettings.SceneOf(target) : go.sceneData;
        }
    }
}
