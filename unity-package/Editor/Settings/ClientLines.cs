namespace Multiverse.Editor
{
    /// <summary>The setup lines for MCP clients, as in the README.</summary>
    public static class ClientLines
    {
        public struct Line
        {
            public string Client, Text, Where;
        }

        public static Line[] For(int port)
        {
            string url = "http://127.0.0.1:" + port + "/mcp";
            return new[]
            {
                new Line { Client = "Claude Code", Where = "in a terminal",
                           Text = "claude mcp add --transport http multiverse " + url },
                new Line { Client = "Codex", Where = "in a terminal",
                           Text = "codex mcp add multiverse --url " + url },
                new Line { Client = "Gemini CLI", Where = "in a terminal",
                           Text = "gemini mcp add --scope user --transport http multiverse " + url },
                new Line { Client = "Cursor", Where = "in .cursor/mcp.json",
                           Text = "{\"mcpServers\": {\"multiverse\": {\"url\": \"" + url + "\"}}}" },
            };
        }

        /// <summary>The command that starts the server in the project's folder.</summary>
        public static string Serve(int port)
        {
            return port == LinkSettings.DefaultPort ? "multiverse serve" : "multiverse serve --port " + port;
        }
    }
}
