using System;
using System.IO;
using System.Net.Sockets;
using System.Text;

namespace Multiverse.Editor
{
    /// <summary>
    /// Asks a port that did not become a WebSocket why: ClientWebSocket does not tell the status that
    /// it got. One HTTP request by hand, bounded in time and size; Abort ends it from another thread.
    /// </summary>
    public sealed class HttpProbe : IDisposable
    {
        const int timeoutMs = 2000;
        const int mostBytes = 8192;

        readonly TcpClient client = new TcpClient();

        /// <summary>null: no HTTP answer came, or it would be a WebSocket now.</summary>
        public Refusal Ask(int port, string token)
        {
            try
            {
                string answer = Exchange(port, Request(port, token));
                int status = Status(answer);
                return status == 0 || status == 101 ? null : Refusal.FromHttp(status, Words(answer));
            }
            catch (Exception)
            {
                return null; /* whatever it is, it is no answer */
            }
        }

        public void Abort() { client.Close(); }
        public void Dispose() { client.Close(); }

        static string Request(int port, string token)
        {
            return "GET /unity HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nConnection: Upgrade\r\n" +
                   "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
                   "Sec-WebSocket-Key: " + Convert.ToBase64String(Guid.NewGuid().ToByteArray()) + "\r\n" +
                   (string.IsNullOrEmpty(token) ? "" : "Authorization: Bearer " + token + "\r\n") + "\r\n";
        }

        string Exchange(int port, string request)
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
            return Status(text) == 101 || text.Length - end - 4 >= ContentLength(text.Substring(0, end));
        }

        static int ContentLength(string head)
        {
            foreach (string line in head.Split('\n'))
            {
                int n;
                if (line.StartsWith("Content-Length:", StringComparison.OrdinalIgnoreCase) &&
                    int.TryParse(line.Substring(15).Trim(), out n))
                    return n;
            }
            return int.MaxValue; /* until it is closed, or the time is over */
        }

        static int Status(string answer)
        {
            int status;
            return answer.StartsWith("HTTP/1.", StringComparison.Ordinal) && answer.Length >= 12 &&
                   int.TryParse(answer.Substring(9, 3), out status) ? status : 0;
        }

        /* The server says why in {"error": {"message": ...}}. */
        static string Words(string answer)
        {
            int end = answer.IndexOf("\r\n\r\n", StringComparison.Ordinal);
            if (end < 0)
                return "";
            try
            {
                return JsonReader.Read(answer.Substring(end + 4)).Get("error").GetString("message", "");
            }
            catch (JsonException)
            {
                return "";
            }
        }
    }
}
