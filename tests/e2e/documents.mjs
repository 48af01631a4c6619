// Documents of scenes and prefabs, and .meta files, as Unity 2022.3 writes them.
//
//     writeAsset(folder, 'Assets/A.prefab', metaOf(guid, 'PrefabImporter'),
//         HEAD + gameObject(100, [101], 'A') + transform(101, 100));
import {mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';

export const HEAD = '%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n';

/** The first document of a scene. */
export const SETTINGS = `--- !u!29 &1
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

/** A text as the value of a key, in the form Unity takes for it (long ones are not folded). */
export function yamlText(text) {
    if (text === '')
        return '';
    if (/[^ -~]/.test(text))
        return `"${Array.from(text, escaped).join('')}"`;
    const isStructure = /^[,[\]{}#&*!|>'"%@` ]|^[-?:](?= |$)|:(?= |$)| #| $/.test(text);
    return isStructure ? `'${text.replaceAll("'", "''")}'` : text;
}

function escaped(char) {
    const short = {'"': '\\"', '\\': '\\\\', '\0': '\\0', '\x07': '\\a', '\b': '\\b', '\t': '\\t', '\n': '\\n',
        '\v': '\\v', '\f': '\\f', '\r': '\\r', '\x1b': '\\e'}[char];
    const code = char.codePointAt(0), hex = digits => code.toString(16).toUpperCase().padStart(digits, '0');
    if (short)
        return short;
    if (code >= 0x20 && code < 0x7f)
        return char;
    return code < 0x100 ? `\\x${hex(2)}` : code < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`;
}

const LINKS = `  m_ObjectHideFlags: 0
  m_CorrespondingSourceObject: {fileID: 0}
  m_PrefabInstance: {fileID: 0}
  m_PrefabAsset: {fileID: 0}
`;

export const gameObject = (id, components, name, active = true) => `--- !u!1 &${id}
GameObject:
${LINKS}  serializedVersion: 6
  m_Component:
${components.map(component => `  - component: {fileID: ${component}}\n`).join('')}  m_Layer: 0
  m_Name: ${yamlText(name)}
  m_TagString: Untagged
  m_Icon: {fileID: 0}
  m_NavMeshLayer: 0
  m_StaticEditorFlags: 0
  m_IsActive: ${active ? 1 : 0}
`;

export const transform = (id, object, x = 0, children = [], father = 0) => `--- !u!4 &${id}
Transform:
${LINKS}  m_GameObject: {fileID: ${object}}
  serializedVersion: 2
  m_LocalRotation: {x: 0, y: 0, z: 0, w: 1}
  m_LocalPosition: {x: ${x}, y: 0, z: 0}
  m_LocalScale: {x: 1, y: 1, z: 1}
  m_ConstrainProportionsScale: 0
${children.length ? `  m_Children:\n${children.map(child => `  - {fileID: ${child}}\n`).join('')}` : '  m_Children: []\n'
}  m_Father: {fileID: ${father}}
  m_LocalEulerAnglesHint: {x: 0, y: 0, z: 0}
`;

export const collider = (id, object) => `--- !u!65 &${id}
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

/** lines: its fields, as the file has them. */
export const script = (id, object, guid, lines = '') => `--- !u!114 &${id}
MonoBehaviour:
${LINKS}  m_GameObject: {fileID: ${object}}
  m_Enabled: 1
  m_EditorHideFlags: 0
  m_Script: {fileID: 11500000, guid: ${guid}, type: 3}
  m_Name:${' '}
  m_EditorClassIdentifier:${' '}
${lines}`;

export const override = (target, guid, propertyPath, value, reference = '{fileID: 0}') => `    - target: {fileID: ${target}, guid: ${guid}, type: 3}
      propertyPath: ${propertyPath}
      value: ${value}
      objectReference: ${reference}
`;

/** A stand-in for a Transform of an instance: what lists children names it. */
export const standIn = (id, instance, source, guid) => `--- !u!4 &${id} stripped
Transform:
  m_CorrespondingSourceObject: {fileID: ${source}, guid: ${guid}, type: 3}
  m_PrefabInstance: {fileID: ${instance}}
  m_PrefabAsset: {fileID: 0}
`;

export const instance = (id, guid, overrides = '', parent = 0) => `--- !u!1001 &${id}
PrefabInstance:
  m_ObjectHideFlags: 0
  serializedVersion: 2
  m_Modification:
    serializedVersion: 3
    m_TransformParent: {fileID: ${parent}}
    m_Modifications:${overrides ? `\n${overrides}` : ' []\n'}    m_RemovedComponents: []
    m_RemovedGameObjects: []
    m_AddedGameObjects: []
    m_AddedComponents: []
  m_SourcePrefab: {fileID: 100100000, guid: ${guid}, type: 3}
`;

export const sceneRoots = roots => `--- !u!1660057539 &9223372036854775807
SceneRoots:
  m_ObjectHideFlags: 0
  m_Roots:
${roots.map(root => `  - {fileID: ${root}}\n`).join('')}`;

// ---- files

/** more: lines between the importer's name and its last keys. */
export const metaOf = (guid, importer = 'DefaultImporter', more = '') => `fileFormatVersion: 2
guid: ${guid}
${importer}:
${more}  externalObjects: {}
  userData:${' '}
  assetBundleName:${' '}
  assetBundleVariant:${' '}
`;

export const writeFile = (folder, file, text) => {
    mkdirSync(path.dirname(path.join(folder, file)), {recursive: true});
    writeFileSync(path.join(folder, file), text);
};

/** An asset and its .meta. */
export const writeAsset = (folder, file, meta, text) => {
    writeFile(folder, file, text);
    writeFile(folder, `${file}.meta`, meta);
};

/** What makes a folder a project. */
export const writeVersion = folder => writeFile(folder, 'ProjectSettings/ProjectVersion.txt',
    'm_EditorVersion: 2022.3.56f1\nm_EditorVersionWithRevision: 2022.3.56f1 (add6c3a30bd4)\n');
