using System;
using System.IO;

namespace Standin.Host
{
    /// <summary>
    /// editor.exe: one domain of the stand-in editor. editor.sh restarts it while it ends with <see
    /// cref="ReloadCode"/>. Standard output has only answers and events; output of scripts goes to
    /// the log.
    /// </summary>
    static class Program
    {
        public const int ReloadCode = 88;

        static int Main(string[] args)
        {
            Native.DieWithParent();
            var answers = new StreamWriter(System.Console.OpenStandardOutput()) { AutoFlush = true };
            System.Console.SetOut(System.Console.Error);
            try
            {
                return new Session(new Options(args), answers).Run();
            }
            catch (Exception e)
            {
                System.Console.Error.WriteLine("editor.exe: " + e);
                return 1;
            }
        }
    }
}
