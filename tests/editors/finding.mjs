// What can be put somewhere: find_component_types and find_assets. The stand-in has the classes of
// all available packages, and its project has one package more, so the queries are about the engine
// and the project's own.

const types = (args = {}) => ['find_component_types', {max_results: 1000, ...args}];
const assets = (args = {}) => ['find_assets', {max_results: 1000, ...args}];

const BASES = ['Collider', 'UnityEngine.Collider2D', 'Renderer', 'Joint', 'Transform', 'RectTransform', 'GameObject', 'Material', 'Rigidbody', 'UnityEngine.Vector3',
    'MyGame.Creature', 'Character', 'Marker', 'Nothing', 'System.Int32', 'UnityEngine.Space'];
const CLASSES = ['Material', 'Sprite', 'Texture', 'Texture2D', 'Mesh', 'AudioClip', 'AnimationClip', 'Shader', 'TextAsset', 'GameObject',
    'UnityEngine.Object', 'ScriptableObject', 'MyGame.LootTable', 'Transform', 'Component', 'Collider', 'BoxCollider', 'Rigidbody',
    'MonoBehaviour', 'MyGame.Breakable', 'Breakable', 'SceneAsset', 'MonoScript', 'Marker', 'Nothing', 'UnityEngine.Vector3', 'System.Int32'];

export async function finding(pair) {
    await pair.all([
        types({query: 'mygame'}), types({query: 'MyGame.', max_results: 3}),
        types({query: 'MyGame.', max_results: 3, offset: 3}), types({query: 'mygame', offset: 1000}), types({query: '.*'}),
        types({query: 'no such thing'}), types({query: 'mygame', base: 'Component'}), types({query: 'mygame', base: 'UnityEngine.Object'}),
        types({query: 'UnityEngine.UI.', base: 'Selectable'}), types({query: 'unityengine.ui.', base: 'UnityEngine.UI.Graphic'}),
        types({query: 'mygame', base: 'MonoBehaviour'}), types({query: 'MyGame', base: 'MyGame.Creature'}),
        ...BASES.map(base => types({base})),
        assets({folder: 'Assets'}), assets({query: '', folder: 'Assets'}), assets({query: 'MATERIALS/'}), assets({query: 'crate'}), assets({folder: 'Assets', max_results: 2, offset: 1}),
        assets({folder: 'Assets', offset: 1000}), assets({folder: 'Assets/Prefabs/'}), assets({folder: 'Assets/Prefab'}),
        assets({folder: 'Nowhere'}), assets({folder: '/'}), assets({folder: 'assets'}),
        ...CLASSES.flatMap(type => [assets({type, folder: 'Assets'}), assets({type, query: 'gold', folder: 'Assets'})]),
    ]);
}
