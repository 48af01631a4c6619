using System;
using System.IO;
using System.Net.Sockets;
using System.Text;

namespace Multiverse.Editor
{
    /// <summary>
    /// Finds out why a port did not accept a WebSocket, because ClientWebSocket hides the HTTP
    /// status. Sends one HTTP request, limited in time and size. Abort may be called from another
    /// thread.
    /// </summary>
    public sealed class HttpProbe : IDisposable
    {
        const int timeoutMs = 2000;
        const int mostBytes = 8192;

        readonly TcpClient client = new TcpClient();

        /// <summary>Return the refusal, or null if no HTTP response came or the port would accept a
        /// WebSocket now.</summary>
        public Refusal Ask(int port, string token)
        {
            try
            {
                string response = SendRequest(port, BuildRequest(port, token));
                int status = ParseStatus(response);
                return status == 0 || status == 101 ? null : Refusal.FromHttp(status, ParseReason(response));
            }
            catch (Exception)
            {
                return null; /* not an HTTP server, or it closed the connection */
            }
        }

        public void Abort() { client.Close(); }
        public void Dispose() { client.Close(); }

        static string BuildRequest(int port, string token)
        {
            return "GET /unity HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nConnection: Upgrade\r\n" +
                   "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
                   "Sec-WebSocket-Key: " + Convert.ToBase64String(Guid.NewGuid().ToByteArray()) + "\r\n" +
                   (string.IsNullOrEmpty(token) ? "" : "Authorization: Bearer " + token + "\r\n") + "\r\n";
        }

        string SendRequest(int port, string request)
        {
            long deadline = Clock.NowMs + timeoutMs;
            client.Connect("127.0.0.1", port);
            client.SendTimeout = timeoutMs;
            client.ReceiveTimeout = timeoutMs;
            Stream stream = client.GetStream();
            byte[] bytes = Encoding.ASCII.GetBytes(request);
            stream.Write(bytes, 0, bytes.Length);
            var buffer = new byte[mostBytes];
            int length = 0;
            while (length < buffer.Length && !IsWhole(buffer, length) && Clock.NowMs < deadline)
            {
                int more = stream.Read(buffer, length, buffer.Length - length);
                if (more == 0)
                    break;
                length += more;
            }
            return Encoding.UTF8.GetString(buffer, 0, length);
        }

        static bool IsWhole(byte[] buffer, int length)
        {
            string text = Encoding.UTF8.GetString(buffer, 0, length);
            int end = text.IndexOf("\r\n\r\n", StringComparison.Ordinal);
            if (end < 0)
                return false;
            return ParseStatus(text) == 101 || text.Length - end - 4 >= ParseContentLength(text.Substring(0, end));
        }

        static int ParseContentLength(string head)
        {
            foreach (string line in head.Split('\n'))
            {
                int n;
                if (line.StartsWith("Content-Length:", StringComparison.OrdinalIgnoreCase) &&
                    int.TryParse(line.Substring(15).Trim(), out n))
                    return n;
            }
            return int.MaxValue; /* read until the connection closes or the timeout */
        }

        static int ParseStatus(string response)
        {
            int status;
            return response.StartsWith("HTTP/1.", StringComparison.Ordinal) && response.Length >= 12 &&
                   int.TryParse(response.Substring(9, 3), out status) ? status : 0;
        }

        /* The server's reason, from {"error": {"message": ...}}. */
        static string ParseReason(string response)
        {
            int end = response.IndexOf("\r\n\r\n", StringComparison.Ordinal);
            if (end < 0)
                return "";
            try
            {
                return JsonReader.Read(response.Substring(end + 4)).Get("error").GetString("message", "");
            }
            catch (JsonException)
            {
                return "";
            }
        }
    }
}
