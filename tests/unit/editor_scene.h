/* A small scene for tests of the headless editor. The last component in the list of Child has a
 * missing script. */
#pragma once

#define SCENE_HEAD "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"

#define SCENE_OBJECT(go, transform, name, more)                                                    \
    "--- !u!1 &" go "\n"                                                                           \
    "GameObject:\n"                                                                                \
    "  m_ObjectHideFlags: 0\n"                                                                     \
    "  m_CorrespondingSourceObject: {fileID: 0}\n"                                                 \
    "  m_PrefabInstance: {fileID: 0}\n"                                                            \
    "  m_PrefabAsset: {fileID: 0}\n"                                                               \
    "  serializedVersion: 6\n"                                                                     \
    "  m_Component:\n"                                                                             \
    "  - component: {fileID: " transform "}\n" more "  m_Layer: 0\n"                               \
    "  m_Name: " name "\n"                                                                         \
    "  m_TagString: Untagged\n"                                                                    \
    "  m_Icon: {fileID: 0}\n"                                                                      \
    "  m_NavMeshLayer: 0\n"                                                                        \
    "  m_StaticEditorFlags: 0\n"                                                                   \
    "  m_IsActive: 1\n"

#define SCENE_TRANSFORM(id, go, children, father)                                                  \
    "--- !u!4 &" id "\n"                                                                           \
    "Transform:\n"                                                                                 \
    "  m_ObjectHideFlags: 0\n"                                                                     \
    "  m_CorrespondingSourceObject: {fileID: 0}\n"                                                 \
    "  m_PrefabInstance: {fileID: 0}\n"                                                            \
    "  m_PrefabAsset: {fileID: 0}\n"                                                               \
    "  m_GameObject: {fileID: " go "}\n"                                                           \
    "  serializedVersion: 2\n"                                                                     \
    "  m_LocalRotation: {x: 0, y: 0, z: 0, w: 1}\n"                                                \
    "  m_LocalPosition: {x: 0, y: 0, z: 0}\n"                                                      \
    "  m_LocalScale: {x: 1, y: 1, z: 1}\n"                                                         \
    "  m_ConstrainProportionsScale: 0\n"                                                           \
    "  m_Children:" children "\n"                                                                  \
    "  m_Father: {fileID: " father "}\n"                                                           \
    "  m_LocalEulerAnglesHint: {x: 0, y: 0, z: 0}\n"

#define SCENE_ROOTS(lines)                                                                         \
    "--- !u!1660057539 &9223372036854775807\n"                                                     \
    "SceneRoots:\n"                                                                                \
    "  m_ObjectHideFlags: 0\n"                                                                     \
    "  m_Roots:\n" lines

/* Player (with Child below it), Enemy */
#define SCENE_TEXT                                                                                 \
    SCENE_HEAD SCENE_OBJECT("10", "11", "Player", "  - component: {fileID: 12}\n")                 \
        SCENE_TRANSFORM(                                                                           \
            "11", "10", "\n  - {fileID: 21}",                                                      \
            "0") "--- !u!54 &12\n"                                                                 \
                 "Rigidbody:\n"                                                                    \
                 "  m_ObjectHideFlags: 0\n"                                                        \
                 "  m_CorrespondingSourceObject: {fileID: 0}\n"                                    \
                 "  m_PrefabInstance: {fileID: 0}\n"                                               \
                 "  m_PrefabAsset: {fileID: 0}\n"                                                  \
                 "  m_GameObject: {fileID: 10}\n"                                                  \
                 "  serializedVersion: 4\n"                                                        \
                 "  m_Mass: 1\n"                                                                   \
                 "  m_Drag: 0\n"                                                                   \
                 "  m_AngularDrag: 0.05\n"                                                         \
                 "  m_UseGravity: 1\n"                                                             \
                 "  m_IsKinematic: 0\n"                                                            \
                 "  m_Interpolate: 0\n"                                                            \
                 "  m_Constraints: 0\n"                                                            \
                 "  m_CollisionDetection: 0\n" SCENE_OBJECT("20", "21", "Child",                   \
                                                            "  - component: {fileID: 22}\n")       \
                     SCENE_TRANSFORM("21", "20", " []",                                            \
                                     "11") "--- !u!114 &22\n"                                      \
                                           "MonoBehaviour:\n"                                      \
                                           "  m_ObjectHideFlags: 0\n"                              \
                                           "  m_CorrespondingSourceObject: {fileID: 0}\n"          \
                                           "  m_PrefabInstance: {fileID: 0}\n"                     \
                                           "  m_PrefabAsset: {fileID: 0}\n"                        \
                                           "  m_GameObject: {fileID: 20}\n"                        \
                                           "  m_Enabled: 1\n"                                      \
                                           "  m_EditorHideFlags: 0\n"                              \
                                           "  m_Script: {fileID: 11500000, guid: "                 \
                                           "0123456789abcdef0123456789abcdef, type: 3}\n"          \
                                           "  m_Name: \n"                                          \
                                           "  m_EditorClassIdentifier: \n" SCENE_OBJECT(           \
                                               "30", "31", "Enemy",                                \
                                               "") SCENE_TRANSFORM("31", "30", " []", "0")         \
                                               SCENE_ROOTS("  - {fileID: 11}\n  - {fileID: 31}\n")

#define SCENE_OTHER                                                                                \
    SCENE_HEAD SCENE_OBJECT("10", "11", "Other", "") SCENE_TRANSFORM("11", "10", " []", "0")       \
        SCENE_ROOTS("  - {fileID: 11}\n")
