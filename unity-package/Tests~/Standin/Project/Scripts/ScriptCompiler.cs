using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using System.Security.Cryptography;
using System.Text;
using UnityEditor.Compilation;
using Assembly = System.Reflection.Assembly;

namespace Standin
{
    /// <summary>
    /// Compiles the project's scripts with mcs into Library/ScriptAssemblies, as Unity does: one
    /// assembly for each .asmdef and the four predefined ones. Unchanged assemblies are taken from
    /// a cache by content.
    /// Errors are reported as in Unity, but unlike Unity the assembly is then compiled from the
    /// remaining code, because mcs and this stand-in support less than Unity and its compiler (<see
    /// cref="ScriptPruner"/>).
    /// </summary>
    internal static class ScriptCompiler
    {
        const int MaxRuns = 40;
        const string Output = "Library/ScriptAssemblies";

        static readonly string[] framework = { "nunit.framework", "UnityEngine.TestRunner", "UnityEditor.TestRunner" };

        static string CacheFolder
        {
            get
            {
                string given = Environment.GetEnvironmentVariable("STANDIN_CACHE");
                return string.IsNullOrEmpty(given) ? HostState.BuildPath + "/cache" : given;
            }
        }

        static string compiled = "";

        /// <summary>Whether a script or .asmdef was changed, added or removed since the last
        /// compilation.</summary>
        public static bool IsOutdated { get { return compiled.Length > 0 && compiled != Signature(); } }

        /* The names, times and sizes of all compiled files. */
        static string Signature()
        {
            var text = new StringBuilder("scripts\n");
            foreach (AssetEntry entry in ProjectFolder.Assets.All)
            {
                string extension = ProjectFolder.Extension(entry.Path);
                if (entry.IsFolder || (extension != ".cs" && extension != ".asmdef" && extension != ".asmref"))
                    continue;
                var info = new FileInfo(entry.Disk);
                text.Append(entry.Path).Append(' ').Append(info.LastWriteTimeUtc.Ticks).Append(' ').Append(info.Length)
                    .Append('\n');
            }
            return text.ToString();
        }

        /// <summary>Compile all assemblies in order of their references. Callable on any thread, one
        /// at a time.</summary>
        public static List<CompiledAssembly> Compile()
        {
            var all = new List<CompiledAssembly>();
            Directory.CreateDirectory(CacheFolder);
            Directory.CreateDirectory(ProjectFolder.Root + "/" + Output);
            ProjectFolder.Refresh();
            compiled = Signature();
            List<string> symbols = ScriptSymbols.All();
            foreach (ScriptAssembly assembly in ScriptAssemblies.All())
                if (!assembly.IsPrebuilt)
                    all.Add(CompileOne(assembly, symbols));
            return all;
        }

        /// <summary>Load the compiled assemblies in order of their references.</summary>
        public static List<Assembly> Load()
        {
            var loaded = new List<Assembly>();
            if (compiled.Length == 0)
                compiled = Signature();
            AppDomain.CurrentDomain.AssemblyResolve += (sender, e) => Resolve(e.Name);
            foreach (ScriptAssembly assembly in ScriptAssemblies.All())
            {
                string path = PathOf(assembly);
                if (File.Exists(path) && !assembly.IsPrebuilt)
                    loaded.Add(Assembly.LoadFrom(path));
            }
            ScriptTable.Forget();
            return loaded;
        }

        static Assembly Resolve(string fullName)
        {
            string name = new AssemblyName(fullName).Name;
            foreach (Assembly loaded in AppDomain.CurrentDomain.GetAssemblies())
                if (loaded.GetName().Name == name)
                    return loaded;
            return null;
        }

        static string PathOf(ScriptAssembly assembly)
        {
            string folder = assembly.IsPrebuilt ? HostState.BuildPath : ProjectFolder.Root + "/" + Output;
            return folder + "/" + assembly.Name + ".dll";
        }

        static CompiledAssembly CompileOne(ScriptAssembly assembly, List<string> symbols)
        {
            var created = new CompiledAssembly { Path = Output + "/" + assembly.Name + ".dll" };
            List<string> references = References(assembly);
            string cached = CacheFolder + "/" + assembly.Name + "-" + HashOf(assembly, symbols, references);
            if (!File.Exists(cached + ".log"))
                CompileAssembly(assembly, symbols, references, cached);
            foreach (string line in File.ReadAllLines(cached + ".log"))
                created.Messages.Add(MessageOf(line));
            CopyIfThere(cached + ".dll", PathOf(assembly));
            CopyIfThere(cached + ".mdb", PathOf(assembly) + ".mdb");
            return created;
        }

        static void CopyIfThere(string from, string to)
        {
            if (File.Exists(from))
                File.Copy(from, to, true);
            else
                File.Delete(to);
        }

        /* ---- inputs */

        static List<string> References(ScriptAssembly assembly)
        {
            var found = new List<string>();
            string build = HostState.BuildPath;
            found.Add(build + "/UnityEngine.dll");
            found.Add(build + "/UnityEditor.dll");
            if (assembly.IsForTests || assembly.Name.StartsWith("Assembly-CSharp-Editor", StringComparison.Ordinal))
                foreach (string name in framework)
                    AddFile(found, build + "/" + name + ".dll");
            foreach (string reference in assembly.References)
            {
                ScriptAssembly other = ScriptAssemblies.Find(reference);
                AddFile(found, other != null ? PathOf(other) : build + "/" + reference + ".dll");
            }
            foreach (ScriptAssembly other in ScriptAssemblies.All())
            {
                if (ReferenceEquals(other, assembly))
                    break;
                bool isAuto = assembly.IsPredefined && !other.IsForTests && (other.IsPredefined || other.IsAutoReferenced);
                if (isAuto && (assembly.IsEditorOnly || !other.IsEditorOnly))
                    AddFile(found, PathOf(other));
            }
            foreach (AssetEntry entry in ProjectFolder.Assets.All)
                if (ProjectFolder.Extension(entry.Path) == ".dll" && IsManaged(entry.Disk))
                    AddFile(found, entry.Disk);
            return found;
        }

        static void AddFile(List<string> found, string path)
        {
            if (File.Exists(path) && !found.Contains(path)
                && !found.Exists(other => Path.GetFileName(other) == Path.GetFileName(path)))
                found.Add(path);
        }

        static bool IsManaged(string path)
        {
            try
            {
                AssemblyName.GetAssemblyName(path);
                return true;
            }
            catch (BadImageFormatException)
            {
                return false;
            }
            catch (IOException)
            {
                return false;
            }
        }

        static string HashOf(ScriptAssembly assembly, List<string> symbols, List<string> references)
        {
            using (SHA256 hash = SHA256.Create())
            using (var all = new CryptoStream(Stream.Null, hash, CryptoStreamMode.Write))
            {
                AddText(all, "2\n" + string.Join(";", symbols.ToArray()) + assembly.AllowsUnsafe);
                foreach (string reference in references)
                    AddFile(all, reference);
                foreach (AssetEntry source in assembly.Sources)
                {
                    AddText(all, source.Path);
                    AddFile(all, source.Disk);
                }
                all.FlushFinalBlock();
                return BitConverter.ToString(hash.Hash, 0, 10).Replace("-", "").ToLowerInvariant();
            }
        }

        static void AddText(Stream to, string text)
        {
            byte[] bytes = Encoding.UTF8.GetBytes(text + "\0");
            to.Write(bytes, 0, bytes.Length);
        }

        static void AddFile(Stream to, string path)
        {
            byte[] bytes = File.ReadAllBytes(path);
            AddText(to, bytes.Length + ":");
            to.Write(bytes, 0, bytes.Length);
        }

        /* ---- compiling */

        static void CompileAssembly(ScriptAssembly assembly, List<string> symbols, List<string> references, string cached)
        {
            string folder = CacheFolder + "/work-" + Guid.NewGuid().ToString("N");
            Directory.CreateDirectory(folder);
            try
            {
                var sources = new List<ScriptPruner>();
                foreach (AssetEntry source in assembly.Sources)
                    sources.Add(new ScriptPruner(source.Path, source.Disk, folder + "/" + sources.Count + ".cs"));
                List<CompilerError> first = CompileWithoutErrors(assembly, symbols, references, sources, folder);
                MoveIfThere(folder + "/" + assembly.Name + ".dll", cached + ".dll");
                MoveIfThere(folder + "/" + assembly.Name + ".dll.mdb", cached + ".mdb");
                File.WriteAllLines(folder + "/log", LinesOf(first, sources));
                MoveIfThere(folder + "/log", cached + ".log");
            }
            finally
            {
                Directory.Delete(folder, true);
            }
        }

        static void MoveIfThere(string from, string to)
        {
            if (!File.Exists(from))
                return;
            File.Delete(to);
            File.Move(from, to);
        }

        /* Compile until there are no errors; the first errors are reported. */
        static List<CompilerError> CompileWithoutErrors(ScriptAssembly assembly, List<string> symbols, List<string> references,
            List<ScriptPruner> sources, string folder)
        {
            List<CompilerError> first = null;
            for (int i = 0; i < MaxRuns; i++)
            {
                List<CompilerError> errors = CompilerRun.Run(folder, Arguments(assembly, symbols, references, sources, folder));
                first = first ?? errors;
                bool isChanged = false;
                foreach (ScriptPruner source in sources)
                    isChanged |= source.RemoveErrors(errors);
                if (errors.Count == 0 || !isChanged)
                    break;
            }
            return first;
        }

        static IEnumerable<string> Arguments(ScriptAssembly assembly, List<string> symbols, List<string> references,
            List<ScriptPruner> sources, string folder)
        {
            var arguments = new List<string>
            {
                "-nologo", "-target:library", "-debug", "-warn:0", "-langversion:latest", "-r:System.dll", "-r:System.Core.dll",
                "-r:System.Xml.dll", "-r:System.Numerics.dll", "-out:\"" + folder + "/" + assembly.Name + ".dll\""
            };
            if (assembly.AllowsUnsafe)
                arguments.Add("-unsafe");
            foreach (string symbol in symbols)
                arguments.Add("-d:" + symbol);
            foreach (string reference in references)
                arguments.Add("-r:\"" + reference + "\"");
            foreach (ScriptPruner source in sources)
                if (!source.IsLeftOut)
                    arguments.Add("\"" + source.FileToCompile + "\"");
            return arguments;
        }

        /* ---- messages: "path<tab>line<tab>column<tab>text" */

        static string[] LinesOf(List<CompilerError> errors, List<ScriptPruner> sources)
        {
            return errors.ConvertAll(error =>
            {
                ScriptPruner source = sources.Find(one => one.Is(error.File));
                return (source == null ? "" : source.Path) + "\t" + error.Line + "\t" + error.Column + "\t"
                    + error.Text.Replace('\t', ' ');
            }).ToArray();
        }

        static CompilerMessage MessageOf(string line)
        {
            string[] cells = line.Split('\t');
            return Compilation.Message(CompilerMessageType.Error, cells[0], int.Parse(cells[1]), int.Parse(cells[2]), cells[3]);
        }
    }
}
