/* Made by Tests~/gen_fields.py from the tables of Unity's classes: do not edit. */
namespace Multiverse.Editor
{
    /// <summary>The rows of <see cref="NativeFields"/>: name and text by turns.</summary>
    static class BuiltinFields
    {
        /// <summary>Class in C# or struct of the engine, and what its fields mean: "key=meaning ...". A
        /// dot at the beginning of a name is UnityEngine; a blank in a key is ~. Meanings: eE an enum, b a
        /// bool, c a Color32, rT a reference to T, vT a value, sN a struct of the engine, [M an array of M, ?
        /// nothing that C# knows.</summary>
        public static readonly string[] Meanings =
        {
            ".AI.NavMeshAgent",
                "m_ObstacleAvoidanceType=e.AI.ObstacleAvoidanceType",
            ".AI.NavMeshObstacle",
                "m_Shape=e.AI.NavMeshObstacleShape",
            ".Animation",
                "m_WrapMode=e.WrapMode m_UpdateMode=e.AnimationUpdateMode m_CullingType=e.AnimationCullingType",
            ".Animations.AimConstraint",
                "m_UpType=e.Animations.AimConstraint+WorldUpType",
            ".Animator",
                "m_CullingMode=e.AnimatorCullingMode m_UpdateMode=e.AnimatorUpdateMode",
            ".AreaEffector2D",
                "m_ForceTarget=e.EffectorSelection2D",
            ".ArticulationBody",
                "m_ArticulationJointType=e.ArticulationJointType m_LinearX=e.ArticulationDofLock " +
                "m_LinearY=e.ArticulationDofLock m_LinearZ=e.ArticulationDofLock m_SwingY=e.ArticulationDofLock " +
                "m_SwingZ=e.ArticulationDofLock m_Twist=e.ArticulationDofLock " +
                "m_CollisionDetectionMode=e.CollisionDetectionMode",
            ".AudioReverbFilter",
                "m_ReverbPreset=e.AudioReverbPreset",
            ".AudioReverbZone",
                "m_ReverbPreset=e.AudioReverbPreset",
            ".AudioSource",
                "m_Resource=r.Audio.AudioResource rolloffMode=e.AudioRolloffMode",
            ".BillboardRenderer",
                "m_CastShadows=e.Rendering.ShadowCastingMode m_ReceiveShadows=b m_DynamicOccludee=b " +
                "m_StaticShadowCaster=b m_MotionVectors=e.MotionVectorGenerationMode " +
                "m_LightProbeUsage=e.Rendering.LightProbeUsage " +
                "m_ReflectionProbeUsage=e.Rendering.ReflectionProbeUsage " +
                "m_RayTracingMode=e.Experimental.Rendering.RayTracingMode " +
                "m_RayTracingAccelStructBuildFlagsOverride=b " +
                "m_RayTracingAccelStructBuildFlags=e.Rendering.RayTracingAccelerationStructureBuildFlags",
            ".BoxCollider2D",
                "m_CompositeOperation=e.Collider2D+CompositeOperation",
            ".Camera",
                "m_ClearFlags=e.CameraClearFlags m_GateFitMode=e.Camera+GateFitMode " +
                "m_RenderingPath=e.RenderingPath m_TargetEye=e.StereoTargetEyeMask",
            ".Canvas",
                "m_RenderMode=e.RenderMode m_AdditionalShaderChannelsFlag=e.AdditionalCanvasShaderChannels " +
                "m_UpdateRectTransformForStandalone=e.StandaloneRenderResize",
            ".CapsuleCollider2D",
                "m_CompositeOperation=e.Collider2D+CompositeOperation m_Direction=e.CapsuleDirection2D",
            ".CircleCollider2D",
                "m_CompositeOperation=e.Collider2D+CompositeOperation",
            ".CompositeCollider2D",
                "m_CompositeOperation=e.Collider2D+CompositeOperation " +
                "m_GeometryType=e.CompositeCollider2D+GeometryType " +
                "m_GenerationType=e.CompositeCollider2D+GenerationType",
            ".ConfigurableJoint",
                "m_XMotion=e.ConfigurableJointMotion m_YMotion=e.ConfigurableJointMotion " +
                "m_ZMotion=e.ConfigurableJointMotion m_AngularXMotion=e.ConfigurableJointMotion " +
                "m_AngularYMotion=e.ConfigurableJointMotion m_AngularZMotion=e.ConfigurableJointMotion " +
                "m_RotationDriveMode=e.RotationDriveMode m_ProjectionMode=e.JointProjectionMode",
            ".CustomCollider2D",
                "m_CompositeOperation=e.Collider2D+CompositeOperation",
            ".DistanceJoint2D",
                "m_BreakAction=e.JointBreakAction2D",
            ".EdgeCollider2D",
                "m_CompositeOperation=e.Collider2D+CompositeOperation",
            ".FixedJoint2D",
                "m_BreakAction=e.JointBreakAction2D",
            ".FrictionJoint2D",
                "m_BreakAction=e.JointBreakAction2D",
            ".GUIText",
                "m_Anchor=e.TextAnchor m_Alignment=e.TextAlignment m_FontStyle=e.FontStyle m_Color=c",
            ".Grid",
                "m_CellLayout=e.GridLayout+CellLayout m_CellSwizzle=e.GridLayout+CellSwizzle",
            ".Halo",
                "m_Color=c",
            ".HingeJoint2D",
                "m_BreakAction=e.JointBreakAction2D",
            ".LODGroup",
                "m_FadeMode=e.LODFadeMode",
            ".Light",
                "m_Type=e.LightType m_Shape=e.LightShape m_RenderMode=e.LightRenderMode " +
                "m_Lightmapping=e.LightmapBakeType m_LightShadowCasterMode=e.LightShadowCasterMode " +
                "m_LightUnit=e.Rendering.LightUnit",
            ".LightProbeProxyVolume",
                "m_BoundingBoxMode=e.LightProbeProxyVolume+BoundingBoxMode " +
                "m_ResolutionMode=e.LightProbeProxyVolume+ResolutionMode " +
                "m_ProbePositionMode=e.LightProbeProxyVolume+ProbePositionMode " +
                "m_RefreshMode=e.LightProbeProxyVolume+RefreshMode " +
                "m_QualityMode=e.LightProbeProxyVolume+QualityMode " +
                "m_DataFormat=e.LightProbeProxyVolume+DataFormat",
            ".LineRenderer",
                "m_CastShadows=e.Rendering.ShadowCastingMode m_ReceiveShadows=b m_DynamicOccludee=b " +
                "m_StaticShadowCaster=b m_MotionVectors=e.MotionVectorGenerationMode " +
                "m_LightProbeUsage=e.Rendering.LightProbeUsage " +
                "m_ReflectionProbeUsage=e.Rendering.ReflectionProbeUsage " +
                "m_RayTracingMode=e.Experimental.Rendering.RayTracingMode " +
                "m_RayTracingAccelStructBuildFlagsOverride=b " +
                "m_RayTracingAccelStructBuildFlags=e.Rendering.RayTracingAccelerationStructureBuildFlags " +
                "m_MaskInteraction=e.SpriteMaskInteraction",
            ".MeshCollider",
                "m_CookingOptions=e.MeshColliderCookingOptions",
            ".MeshRenderer",
                "m_CastShadows=e.Rendering.ShadowCastingMode m_ReceiveShadows=b m_DynamicOccludee=b " +
                "m_StaticShadowCaster=b m_MotionVectors=e.MotionVectorGenerationMode " +
                "m_LightProbeUsage=e.Rendering.LightProbeUsage " +
                "m_ReflectionProbeUsage=e.Rendering.ReflectionProbeUsage " +
                "m_RayTracingMode=e.Experimental.Rendering.RayTracingMode " +
                "m_RayTracingAccelStructBuildFlagsOverride=b " +
                "m_RayTracingAccelStructBuildFlags=e.Rendering.RayTracingAccelerationStructureBuildFlags " +
                "m_ReceiveGI=e.ReceiveGI",
            ".NetworkView",
                "m_ViewID=?",
            ".ParticleAnimator",
                "colorAnimation[0]=c colorAnimation[1]=c colorAnimation[2]=c colorAnimation[3]=c " +
                "colorAnimation[4]=c",
            ".ParticleRenderer",
                "m_CastShadows=e.Rendering.ShadowCastingMode m_ReceiveShadows=b m_DynamicOccludee=b " +
                "m_MotionVectors=e.MotionVectorGenerationMode m_LightProbeUsage=e.Rendering.LightProbeUsage " +
                "m_ReflectionProbeUsage=e.Rendering.ReflectionProbeUsage UV~Animation=?",
            ".ParticleSystem",
                "stopAction=e.ParticleSystemStopAction cullingMode=e.ParticleSystemCullingMode " +
                "ringBufferMode=e.ParticleSystemRingBufferMode " +
                "emitterVelocityMode=e.ParticleSystemEmitterVelocityMode " +
                "moveWithTransform=e.ParticleSystemSimulationSpace scalingMode=e.ParticleSystemScalingMode",
            ".ParticleSystemRenderer",
                "m_CastShadows=e.Rendering.ShadowCastingMode m_ReceiveShadows=b m_DynamicOccludee=b " +
                "m_StaticShadowCaster=b m_MotionVectors=e.MotionVectorGenerationMode " +
                "m_LightProbeUsage=e.Rendering.LightProbeUsage " +
                "m_ReflectionProbeUsage=e.Rendering.ReflectionProbeUsage " +
                "m_RayTracingMode=e.Experimental.Rendering.RayTracingMode " +
                "m_RayTracingAccelStructBuildFlagsOverride=b " +
                "m_RayTracingAccelStructBuildFlags=e.Rendering.RayTracingAccelerationStructureBuildFlags " +
                "m_MaskInteraction=e.SpriteMaskInteraction m_RenderMode=e.ParticleSystemRenderMode " +
                "m_MeshDistribution=e.ParticleSystemMeshDistribution m_SortMode=e.ParticleSystemSortMode " +
                "m_RenderAlignment=e.ParticleSystemRenderSpace",
            ".Playables.PlayableDirector",
                "m_InitialState=b m_WrapMode=e.Playables.DirectorWrapMode " +
                "m_DirectorUpdateMode=e.Playables.DirectorUpdateMode",
            ".PointEffector2D",
                "m_ForceSource=e.EffectorSelection2D m_ForceTarget=e.EffectorSelection2D " +
                "m_ForceMode=e.EffectorForceMode2D",
            ".PolygonCollider2D",
                "m_CompositeOperation=e.Collider2D+CompositeOperation",
            ".ReflectionProbe",
                "m_Type=e.Rendering.ReflectionProbeType m_Mode=e.Rendering.ReflectionProbeMode " +
                "m_RefreshMode=e.Rendering.ReflectionProbeRefreshMode " +
                "m_TimeSlicingMode=e.Rendering.ReflectionProbeTimeSlicingMode " +
                "m_ClearFlags=e.Rendering.ReflectionProbeClearFlags",
            ".RelativeJoint2D",
                "m_BreakAction=e.JointBreakAction2D",
            ".RenderAs2D",
                "m_CastShadows=e.Rendering.ShadowCastingMode m_ReceiveShadows=b m_DynamicOccludee=b " +
                "m_StaticShadowCaster=b m_MotionVectors=e.MotionVectorGenerationMode " +
                "m_LightProbeUsage=e.Rendering.LightProbeUsage " +
                "m_ReflectionProbeUsage=e.Rendering.ReflectionProbeUsage " +
                "m_RayTracingMode=e.Experimental.Rendering.RayTracingMode " +
                "m_RayTracingAccelStructBuildFlagsOverride=b " +
                "m_RayTracingAccelStructBuildFlags=e.Rendering.RayTracingAccelerationStructureBuildFlags",
            ".Rigidbody",
                "m_Interpolate=e.RigidbodyInterpolation m_Constraints=e.RigidbodyConstraints " +
                "m_CollisionDetection=e.CollisionDetectionMode",
            ".Rigidbody2D",
                "m_BodyType=e.RigidbodyType2D m_Interpolate=e.RigidbodyInterpolation2D " +
                "m_SleepingMode=e.RigidbodySleepMode2D m_CollisionDetection=e.CollisionDetectionMode2D " +
                "m_Constraints=e.RigidbodyConstraints2D",
            ".SkinnedMeshRenderer",
                "m_CastShadows=e.Rendering.ShadowCastingMode m_ReceiveShadows=b m_DynamicOccludee=b " +
                "m_StaticShadowCaster=b m_MotionVectors=e.MotionVectorGenerationMode " +
                "m_LightProbeUsage=e.Rendering.LightProbeUsage " +
                "m_ReflectionProbeUsage=e.Rendering.ReflectionProbeUsage " +
                "m_RayTracingMode=e.Experimental.Rendering.RayTracingMode " +
                "m_RayTracingAccelStructBuildFlagsOverride=b " +
                "m_RayTracingAccelStructBuildFlags=e.Rendering.RayTracingAccelerationStructureBuildFlags " +
                "m_Quality=e.SkinQuality",
            ".SliderJoint2D",
                "m_BreakAction=e.JointBreakAction2D",
            ".SpringJoint2D",
                "m_BreakAction=e.JointBreakAction2D",
            ".SpriteMask",
                "m_CastShadows=e.Rendering.ShadowCastingMode m_ReceiveShadows=b m_DynamicOccludee=b " +
                "m_StaticShadowCaster=b m_MotionVectors=e.MotionVectorGenerationMode " +
                "m_LightProbeUsage=e.Rendering.LightProbeUsage " +
                "m_ReflectionProbeUsage=e.Rendering.ReflectionProbeUsage " +
                "m_RayTracingMode=e.Experimental.Rendering.RayTracingMode " +
                "m_RayTracingAccelStructBuildFlagsOverride=b " +
                "m_RayTracingAccelStructBuildFlags=e.Rendering.RayTracingAccelerationStructureBuildFlags " +
                "m_SpriteSortPoint=e.SpriteSortPoint m_MaskSource=e.SpriteMask+MaskSource",
            ".SpriteRenderer",
                "m_CastShadows=e.Rendering.ShadowCastingMode m_ReceiveShadows=b m_DynamicOccludee=b " +
                "m_StaticShadowCaster=b m_MotionVectors=e.MotionVectorGenerationMode " +
                "m_LightProbeUsage=e.Rendering.LightProbeUsage " +
                "m_ReflectionProbeUsage=e.Rendering.ReflectionProbeUsage " +
                "m_RayTracingMode=e.Experimental.Rendering.RayTracingMode " +
                "m_RayTracingAccelStructBuildFlagsOverride=b " +
                "m_RayTracingAccelStructBuildFlags=e.Rendering.RayTracingAccelerationStructureBuildFlags " +
                "m_MaskInteraction=e.SpriteMaskInteraction m_DrawMode=e.SpriteDrawMode " +
                "m_SpriteTileMode=e.SpriteTileMode m_SpriteSortPoint=e.SpriteSortPoint",
            ".TargetJoint2D",
                "m_BreakAction=e.JointBreakAction2D",
            ".Terrain",
                "m_ShadowCastingMode=e.Rendering.ShadowCastingMode " +
                "m_ReflectionProbeUsage=e.Rendering.ReflectionProbeUsage m_MaterialType=e.Terrain+MaterialType " +
                "m_LegacySpecular=c m_TreeMotionVectorModeOverride=e.TreeMotionVectorModeOverride",
            ".TextMesh",
                "m_Anchor=e.TextAnchor m_Alignment=e.TextAlignment m_FontStyle=e.FontStyle m_Color=c",
            ".Tilemaps.Tilemap",
                "m_Tiles=? m_AnimatedTiles=? m_TileOrientation=e.Tilemaps.Tilemap+Orientation " +
                "m_TileRefreshArray=[?",
            ".Tilemaps.TilemapCollider2D",
                "m_CompositeOperation=e.Collider2D+CompositeOperation",
            ".Tilemaps.TilemapRenderer",
                "m_CastShadows=e.Rendering.ShadowCastingMode m_ReceiveShadows=b m_DynamicOccludee=b " +
                "m_StaticShadowCaster=b m_MotionVectors=e.MotionVectorGenerationMode " +
                "m_LightProbeUsage=e.Rendering.LightProbeUsage " +
                "m_ReflectionProbeUsage=e.Rendering.ReflectionProbeUsage " +
                "m_RayTracingMode=e.Experimental.Rendering.RayTracingMode " +
                "m_RayTracingAccelStructBuildFlagsOverride=b " +
                "m_RayTracingAccelStructBuildFlags=e.Rendering.RayTracingAccelerationStructureBuildFlags " +
                "m_MaskInteraction=e.SpriteMaskInteraction m_SortOrder=e.Tilemaps.TilemapRenderer+SortOrder " +
                "m_Mode=e.Tilemaps.TilemapRenderer+Mode " +
                "m_DetectChunkCullingBounds=e.Tilemaps.TilemapRenderer+DetectChunkCullingBounds",
            ".TrailRenderer",
                "m_CastShadows=e.Rendering.ShadowCastingMode m_ReceiveShadows=b m_DynamicOccludee=b " +
                "m_StaticShadowCaster=b m_MotionVectors=e.MotionVectorGenerationMode " +
                "m_LightProbeUsage=e.Rendering.LightProbeUsage " +
                "m_ReflectionProbeUsage=e.Rendering.ReflectionProbeUsage " +
                "m_RayTracingMode=e.Experimental.Rendering.RayTracingMode " +
                "m_RayTracingAccelStructBuildFlagsOverride=b " +
                "m_RayTracingAccelStructBuildFlags=e.Rendering.RayTracingAccelerationStructureBuildFlags " +
                "m_MaskInteraction=e.SpriteMaskInteraction",
            ".U2D.SpriteShapeRenderer",
                "m_CastShadows=e.Rendering.ShadowCastingMode m_ReceiveShadows=b m_DynamicOccludee=b " +
                "m_StaticShadowCaster=b m_MotionVectors=e.MotionVectorGenerationMode " +
                "m_LightProbeUsage=e.Rendering.LightProbeUsage " +
                "m_ReflectionProbeUsage=e.Rendering.ReflectionProbeUsage " +
                "m_RayTracingMode=e.Experimental.Rendering.RayTracingMode " +
                "m_RayTracingAccelStructBuildFlagsOverride=b " +
                "m_RayTracingAccelStructBuildFlags=e.Rendering.RayTracingAccelerationStructureBuildFlags " +
                "m_MaskInteraction=e.SpriteMaskInteraction",
            ".UIElements.PanelRenderer",
                "m_CastShadows=e.Rendering.ShadowCastingMode m_ReceiveShadows=b m_DynamicOccludee=b " +
                "m_StaticShadowCaster=b m_MotionVectors=e.MotionVectorGenerationMode " +
                "m_LightProbeUsage=e.Rendering.LightProbeUsage " +
                "m_ReflectionProbeUsage=e.Rendering.ReflectionProbeUsage " +
                "m_RayTracingMode=e.Experimental.Rendering.RayTracingMode " +
                "m_RayTracingAccelStructBuildFlagsOverride=b " +
                "m_RayTracingAccelStructBuildFlags=e.Rendering.RayTracingAccelerationStructureBuildFlags " +
                "m_WorldSpaceSizeMode=e.UIElements.WorldSpaceSizeMode " +
                "m_PivotReferenceSize=e.UIElements.PivotReferenceSize m_Pivot=e.UIElements.Pivot " +
                "m_Position=e.UIElements.Position",
            ".UIElements.UIRenderer",
                "m_CastShadows=e.Rendering.ShadowCastingMode m_ReceiveShadows=b m_DynamicOccludee=b " +
                "m_StaticShadowCaster=b m_MotionVectors=e.MotionVectorGenerationMode " +
                "m_LightProbeUsage=e.Rendering.LightProbeUsage " +
                "m_ReflectionProbeUsage=e.Rendering.ReflectionProbeUsage " +
                "m_RayTracingMode=e.Experimental.Rendering.RayTracingMode " +
                "m_RayTracingAccelStructBuildFlagsOverride=b " +
                "m_RayTracingAccelStructBuildFlags=e.Rendering.RayTracingAccelerationStructureBuildFlags",
            ".VFX.VFXRenderer",
                "m_CastShadows=e.Rendering.ShadowCastingMode m_ReceiveShadows=b m_DynamicOccludee=b " +
                "m_StaticShadowCaster=b m_MotionVectors=e.MotionVectorGenerationMode " +
                "m_LightProbeUsage=e.Rendering.LightProbeUsage " +
                "m_ReflectionProbeUsage=e.Rendering.ReflectionProbeUsage " +
                "m_RayTracingMode=e.Experimental.Rendering.RayTracingMode " +
                "m_RayTracingAccelStructBuildFlagsOverride=b " +
                "m_RayTracingAccelStructBuildFlags=e.Rendering.RayTracingAccelerationStructureBuildFlags",
            ".VFX.VisualEffect",
                "m_ResetSeedOnPlay=b m_AllowInstancing=b",
            ".Video.VideoPlayer",
                "m_TargetCamera3DLayout=e.Video.Video3DLayout m_TimeReference=e.Video.VideoTimeReference " +
                "m_RenderMode=e.Video.VideoRenderMode m_AspectRatio=e.Video.VideoAspectRatio " +
                "m_DataSource=e.Video.VideoSource m_TimeUpdateMode=e.Video.VideoTimeUpdateMode " +
                "m_AudioOutputMode=e.Video.VideoAudioOutputMode",
            ".WheelJoint2D",
                "m_BreakAction=e.JointBreakAction2D",
            ".WindZone",
                "m_Mode=e.WindZoneMode",
            "ExposedReferenceTable",
                "m_References=?",
            "IntPoint",
                "Array=?",
            "Polygon2D",
                "m_Paths=[[v.Vector2",
            "SubCollider",
                "m_ColliderPaths=[[sIntPoint",
            "TilemapRefCountedData",
                "m_Data=?",
            "VFXEntryExposed",
                "m_Value=?",
        };

        /// <summary>Native classes whose name in C# is not UnityEngine and the same.</summary>
        public static readonly string Natives =
            "AudioMixerGroup=.Audio.AudioMixerGroup LightmapParameters=UnityEditor.LightmapParameters " +
            "PanelRenderer=.UIElements.PanelRenderer SortingGroup=.Rendering.SortingGroup " +
            "VideoClip=.Video.VideoClip VisualEffectAsset=.VFX.VisualEffectAsset";
    }
}
