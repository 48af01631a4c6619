// A scene of any size: `count` objects in a tree, each with a Transform and a BoxCollider.
//
//     writeFileSync(file, sceneOf(1000));            // /Node 0, /Node 0/Node 1, ...

const HEAD = `%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!29 &1
OcclusionCullingSettings:
  m_ObjectHideFlags: 0
  serializedVersion: 2
  m_OcclusionBakeSettings:
    smallestOccluder: 5
    smallestHole: 0.25
    backfaceThreshold: 100
  m_SceneGUID: 00000000000000000000000000000000
  m_OcclusionCullingData: {fileID: 0}
`;

const LINKS = `  m_ObjectHideFlags: 0
  m_CorrespondingSourceObject: {fileID: 0}
  m_PrefabInstance: {fileID: 0}
  m_PrefabAsset: {fileID: 0}
`;

/** Ten children each, ten roots: number n hangs below number n / 10. */
const FAN = 10;
const ids = n => [100 + n * 10, 101 + n * 10, 102 + n * 10];

function documentsOf(n, count) {
    const [object, transform, collider] = ids(n), parent = n < FAN ? null : Math.floor(n / FAN) - 1;
    const children = [];
    for (let child = (n + 1) * FAN; child < (n + 2) * FAN && child < count; child++)
        children.push(`  - {fileID: ${ids(child)[1]}}`);
    return `--- !u!1 &${object}
GameObject:
${LINKS}  serializedVersion: 6
  m_Component:
  - component: {fileID: ${transform}}
  - component: {fileID: ${collider}}
  m_Layer: 0
  m_Name: Node ${n}
  m_TagString: Untagged
  m_Icon: {fileID: 0}
  m_NavMeshLayer: 0
  m_StaticEditorFlags: 0
  m_IsActive: 1
--- !u!4 &${transform}
Transform:
${LINKS}  m_GameObject: {fileID: ${object}}
  serializedVersion: 2
  m_LocalRotation: {x: 0, y: 0, z: 0, w: 1}
  m_LocalPosition: {x: ${n}, y: 0, z: 0}
  m_LocalScale: {x: 1, y: 1, z: 1}
  m_ConstrainProportionsScale: 0
${children.length ? `  m_Children:\n${children.join('\n')}` : '  m_Children: []'}
  m_Father: {fileID: ${parent === null ? 0 : ids(parent)[1]}}
  m_LocalEulerAnglesHint: {x: 0, y: 0, z: 0}
--- !u!65 &${collider}
BoxCollider:
${LINKS}  m_GameObject: {fileID: ${object}}
  m_Material: {fileID: 0}
  m_IncludeLayers:
    serializedVersion: 2
    m_Bits: 0
  m_ExcludeLayers:
    serializedVersion: 2
    m_Bits: 0
  m_LayerOverridePriority: 0
  m_IsTrigger: 0
  m_ProvidesContacts: 0
  m_Enabled: 1
  serializedVersion: 3
  m_Size: {x: 1, y: 1, z: 1}
  m_Center: {x: 0, y: 0, z: 0}
`;
}

export function sceneOf(count) {
    const all = Array.from({length: count}, (_, n) => n);
    const roots = all.filter(n => n < FAN).map(n => `  - {fileID: ${ids(n)[1]}}`);
    return `${HEAD}${all.map(n => documentsOf(n, count)).join('')}--- !u!1660057539 &9223372036854775807
SceneRoots:
  m_ObjectHideFlags: 0
  m_Roots:
${roots.join('\n')}
`;
}
