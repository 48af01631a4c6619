using Standin;
using UnityEngine;
using Object = UnityEngine.Object;

namespace UnityEditor
{
    /// <summary>A scene file as an asset.</summary>
    [NativeClass(1032, "SceneAsset")]
    public class SceneAsset : Object
    {
    }

    /// <summary>A folder, or a file that Unity does not import.</summary>
    [NativeClass(1029, "DefaultAsset")]
    public class DefaultAsset : Object
    {
    }

    /// <summary>The lightmaps of a scene.</summary>
    [NativeClass(1120, "LightingDataAsset")]
    public sealed class LightingDataAsset : Object
    {
    }
}

namespace UnityEditor.Animations
{
    /// <summary>A state machine for an Animator; only its name is used here.</summary>
    [NativeClass(91, "AnimatorController")]
    public sealed class AnimatorController : RuntimeAnimatorController
    {
    }

    [NativeClass(206, "BlendTree")]
    public class BlendTree : Motion
    {
    }

    [NativeClass(1102, "AnimatorState")]
    public sealed class AnimatorState : Object
    {
    }

    [NativeClass(1107, "AnimatorStateMachine")]
    public sealed class AnimatorStateMachine : Object
    {
    }

    [NativeClass(1101, "AnimatorStateTransition")]
    public class AnimatorStateTransition : Object
    {
    }
}

namespace UnityEditor.Presets
{
    [NativeClass(181963792, "Preset")]
    public sealed class Preset : Object
    {
    }
}

namespace UnityEditorInternal
{
    /// <summary>A .asmdef file.</summary>
    public sealed class AssemblyDefinitionAsset : TextAsset
    {
    }
}
