using System;
using System.Reflection;
using Standin;

namespace UnityEditor
{
    [AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
    public sealed class MenuItem : Attribute
    {
        public string menuItem;
        public bool validate;
        public int priority;

        public MenuItem(string itemName) : this(itemName, false) { }
        public MenuItem(string itemName, bool isValidateFunction) : this(itemName, isValidateFunction, 1000) { }
        public MenuItem(string itemName, bool isValidateFunction, int priority)
        {
            menuItem = itemName;
            validate = isValidateFunction;
            this.priority = priority;
        }
    }
}

namespace Standin
{
    /// <summary>Calls static methods with [MenuItem] by their path.</summary>
    internal static class MenuItems
    {
        public static bool Execute(string path)
        {
            MethodInfo check = Find(path, true);
            if (check != null && !Equals(Startup.Invoke(check), true))
                return false;
            MethodInfo method = Find(path, false);
            if (method == null)
            {
                UnityEngine.Debug.LogError("ExecuteMenuItem failed because there is no menu named '" + path + "'");
                return false;
            }
            Startup.Invoke(method);
            return true;
        }

        static MethodInfo Find(string path, bool validate)
        {
            foreach (MethodInfo method in Startup.Methods<UnityEditor.MenuItem>())
                foreach (UnityEditor.MenuItem item in method.GetCustomAttributes(typeof(UnityEditor.MenuItem), false))
                    if (item.validate == validate && PathOf(item.menuItem) == path)
                        return method;
            return null;
        }

        /* A shortcut may follow the path: "Tools/Go %g". */
        static string PathOf(string item)
        {
            int at = item.LastIndexOf(' ');
            return at > 0 && at + 1 < item.Length && "%#&_^".IndexOf(item[at + 1]) >= 0 ? item.Substring(0, at) : item;
        }
    }
}
