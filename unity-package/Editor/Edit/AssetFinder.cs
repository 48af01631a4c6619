using System;
using System.Collections.Generic;
using UnityEditor;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Multiverse.Editor
{
    /// <summary>
    /// Finds the object of an asset that a reference means. The path is one of AssetDatabase
    /// ("Assets/...", "Packages/...") or "guid:" and 32 digits. Without a name, the main object is
    /// taken if it fits the type, otherwise another object that fits: of a prefab its root, or the
    /// root's first fitting component; of an image its texture, or the sprite if a Sprite is
    /// wanted. Unity's built-in resources share two paths and are chosen by name.
    /// <code>
    ///     string problem;
    ///     Object red = new AssetFinder("Assets/Materials/Red.mat", "", field.Type).Find(out problem);
    /// </code>
    /// </summary>
    public sealed class AssetFinder
    {
        readonly string written;
        readonly string name;
        readonly FieldType wanted;
        string path;
        string problem;

        /// <summary>name: the object's name, or empty for the first that fits.</summary>
        public AssetFinder(string written, string name, FieldType wanted)
        {
            this.written = written;
            this.name = name;
            this.wanted = wanted;
        }

        /// <summary>Return the object, or null with the problem and possible alternatives.</summary>
        public Object Find(out string reason)
        {
            path = written;
            Object found = FindObject();
            reason = problem;
            return found;
        }

        Object FindObject()
        {
            if (BuiltinNames.IsBuiltin(path))
                return InBuiltin();
            if (written.StartsWith("guid:", StringComparison.Ordinal) && !ReadGuid())
                return null;
            Object main = path.Length == 0 ? null : AssetDatabase.LoadMainAssetAtPath(path);
            /* Some systems find an asset under other spellings; accept only its own path. */
            if (main == null || AssetDatabase.GetAssetPath(main) != path)
                return NoSuchAsset();
            if (main is DefaultAsset && !Fits(main))
                return NotKnown();
            /* The objects in a scene file cannot be loaded as assets. */
            if (main is SceneAsset)
                return PickObject(new[] { main }, main, "object", false);
            var root = main as GameObject;
            AssetImporter importer = AssetImporter.GetAtPath(path);
            if (root != null && !(importer is ModelImporter))
                return InPrefab(root);
            Object[] all = AssetDatabase.LoadAllAssetsAtPath(path);
            if (root != null)
                return InModel(root, all);
            if (main is Texture && importer is TextureImporter)
                return InImage(main, all);
            return PickObject(all, main, "object", false);
        }

        bool ReadGuid()
        {
            string guid = written.Substring(5);
            bool isGuid = guid.Length == 32;
            foreach (char c in guid)
                isGuid &= Uri.IsHexDigit(c);
            path = isGuid ? AssetDatabase.GUIDToAssetPath(guid) : "";
            if (!isGuid)
                problem = written + ": a GUID has 32 hexadecimal digits";
            return isGuid;
        }

        bool Fits(Object candidate)
        {
            return candidate != null && Fits(candidate.GetType());
        }

        bool Fits(Type type) { return ReferenceValues.Fits(wanted, type); }

        Object DoesNotFit(string what)
        {
            problem = path + " is a " + what + ", not a " + wanted.Name;
            return null;
        }

        Object NoSuchName(string near, string what)
        {
            problem = path + " has no " + what + " called " + name +
                      (near == null ? "" : "; did you mean " + near + "?");
            return null;
        }

        /* Search the main object first, then the others in Unity's order. */
        Object PickObject(Object[] all, Object main, string what, bool oneOnly)
        {
            var near = new Nearest(name);
            Object first = null, other = null;
            foreach (Object candidate in Ordered(all, main))
            {
                if (name.Length > 0 && candidate.name != name)
                {
                    near.Offer(candidate.name);
                    continue;
                }
                if (!Fits(candidate))
                {
                    other = other ?? candidate;
                    continue;
                }
                if (!oneOnly)
                    return candidate;
                if (first != null)
                    return SeveralFit();
                first = candidate;
            }
            if (first != null)
                return first;
            if (other != null)
                return DoesNotFit(FieldTypes.NameOf(other.GetType()));
            /* A single imported object has the name of its file. */
            bool isOne = main != null && all.Length == 1 && !AssetDatabase.IsNativeAsset(main);
            return NoSuchName(isOne ? StemOf(path) : near.Best, what);
        }

        internal static List<Object> Ordered(Object[] all, Object main)
        {
            var list = new List<Object>();
            if (main != null)
                list.Add(main);
            foreach (Object o in all)
                if (o != null && o != main)
                    list.Add(o);
            return list;
        }

        Object NotKnown()
        {
            problem = path + ": which object Unity makes of such a file is not known";
            return null;
        }

        Object SeveralFit()
        {
            problem = path + " may hold several of " + wanted.Name + ": say which by name";
            return null;
        }

        /* Compare the labels that the tools show, because the objects' own names are not unique.
           */
        Object InBuiltin()
        {
            Object other = null;
            foreach (Object o in AssetDatabase.LoadAllAssetsAtPath(path))
            {
                if (o == null || BuiltinNames.LabelOf(o) != name)
                    continue;
                if (Fits(o))
                    return o;
                other = other ?? o;
            }
            return other != null ? DoesNotFit(FieldTypes.NameOf(other.GetType()))
                                 : NoSuchName(null, "resource");
        }

        Object InPrefab(GameObject root)
        {
            if (Fits(root))
                return root;
            foreach (Component component in root.GetComponents<Component>())
                if (Fits(component))
                    return component;
            return DoesNotFit("prefab whose root has no such component");
        }

        /* Found by name, because a project may have disabled the animation module; then null. */
        internal static readonly Type[] ModelParts =
        {
            typeof(Mesh), EngineTypes.Find("UnityEngine.AnimationClip"), typeof(Material),
            EngineTypes.Find("UnityEngine.Avatar")
        };

        Object InModel(GameObject root, Object[] all)
        {
            if (name.Length == 0 && Fits(root))
                return root;
            foreach (Type part in ModelParts)
            {
                if (part == null || !Fits(part))
                    continue;
                var parts = new List<Object>();
                foreach (Object o in all)
                    if (o != null && part.IsInstanceOfType(o) && (o.hideFlags & HideFlags.HideInHierarchy) == 0)
                        parts.Add(o);
                if (parts.Count > 0 || name.Length > 0)
                    return PickObject(parts.ToArray(), null, part.Name, name.Length == 0);
            }
            return DoesNotFit("model");
        }

        Object InImage(Object texture, Object[] all)
        {
            bool isStem = name == StemOf(path);
            if (wanted.Clr != typeof(Sprite) && (name.Length == 0 || isStem))
                return Fits(texture) ? texture : DoesNotFit(FieldTypes.NameOf(texture.GetType()));
            var sprites = new List<Object>();
            foreach (Object o in all)
                if (o is Sprite)
                    sprites.Add(o);
            if (sprites.Count == 0)
                return DoesNotFit("texture that is not imported as a sprite");
            return PickObject(sprites.ToArray(), null, "sprite", false);
        }

        Object NoSuchAsset()
        {
            string hint = null, extension = ExtensionOf(written);
            var near = new Nearest(StemOf(written));
            var paths = new List<string>(AssetDatabase.GetAllAssetPaths());
            if (paths.Contains(written))
            {
                problem = "Unity could not import " + written + ", so there is nothing to refer to";
                return null;
            }
            paths.Sort(StringComparer.Ordinal);
            if (paths.Contains(path))
            {
                problem = path + " is there, but Unity cannot load it";
                return null;
            }
            foreach (string other in paths)
                if (string.Equals(ExtensionOf(other), extension, StringComparison.OrdinalIgnoreCase) &&
                    near.Offer(StemOf(other)))
                    hint = other;
            problem = "there is no asset " + written + (hint == null ? "" : "; did you mean " + hint + "?");
            return null;
        }

        /* Path's methods reject some characters that the input may contain. */
        static string ExtensionOf(string path)
        {
            int dot = path.LastIndexOf('.');
            return dot > path.LastIndexOf('/') ? path.Substring(dot) : "";
        }

        static string StemOf(string path)
        {
            int from = path.LastIndexOf('/') + 1;
            return path.Substring(from, path.Length - from - ExtensionOf(path).Length);
        }
    }
}
