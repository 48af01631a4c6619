using System;
using System.Collections.Generic;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Text;

namespace Multiverse.Editor.Tests
{
    /// <summary>
    /// The server's end of the connection on a real socket, controlled by a test. It can also send
    /// what a real server would not.
    /// <code>
    ///     using (var server = new FakeServer())
    ///     using (FakeConnection c = server.Accept()) { c.Welcome(); c.Send("..."); c.Read("result"); }
    /// </code>
    /// </summary>
    public sealed class FakeServer : IDisposable
    {
        readonly TcpListener listener;

        public FakeServer()
        {
            listener = new TcpListener(IPAddress.Loopback, 0);
            listener.Start();
        }

        public int Port { get { return ((IPEndPoint)listener.LocalEndpoint).Port; } }

        /// <summary>Accept the next connection, before its handshake.</summary>
        public TcpClient AcceptTcp()
        {
            IAsyncResult pending = listener.BeginAcceptTcpClient(null, null);
            if (!pending.AsyncWaitHandle.WaitOne(FakeConnection.TimeoutMs))
                throw new TimeoutException("nobody connects");
            return listener.EndAcceptTcpClient(pending);
        }

        /// <summary>Accept the next connection as a WebSocket.</summary>
        public FakeConnection Accept()
        {
            var connection = new FakeConnection(AcceptTcp());
            connection.Upgrade();
            return connection;
        }

        public void Dispose() { listener.Stop(); }
    }

    public sealed class FakeConnection : IDisposable
    {
        public const int TimeoutMs = 10000;

        readonly TcpClient client;
        readonly Stream stream;
        /// <summary>The lines of the HTTP request.</summary>
        public readonly List<string> Head = new List<string>();
        /// <summary>Code and reason of the received close; 0: none yet.</summary>
        public int CloseCode;
        public string CloseReason = "";

        public FakeConnection(TcpClient client)
        {
            this.client = client;
            client.ReceiveTimeout = TimeoutMs;
            client.SendTimeout = TimeoutMs;
            client.NoDelay = true;
            stream = client.GetStream();
        }

        public void ReadHead()
        {
            string line;
            while ((line = ReadLine()).Length > 0)
                Head.Add(line);
        }

        public void Answer(string text)
        {
            byte[] bytes = Encoding.UTF8.GetBytes(text);
            stream.Write(bytes, 0, bytes.Length);
        }

        public void Upgrade()
        {
            ReadHead();
            string key = Head.Find(line => line.StartsWith("Sec-WebSocket-Key:", StringComparison.OrdinalIgnoreCase));
            byte[] hash;
            using (SHA1 sha = SHA1.Create())
                hash = sha.ComputeHash(Encoding.ASCII.GetBytes(key.Substring(18).Trim() +
                                                               "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"));
            Answer("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
                   "Sec-WebSocket-Accept: " + Convert.ToBase64String(hash) + "\r\n\r\n");
        }

        /// <summary>Read the hello and answer like a server; more: additional members of the server's
        /// hello.</summary>
        public JsonValue Welcome(string more = "")
        {
            JsonValue hello = Read("hello");
            Send("{\"type\":\"hello\",\"protocol_version\":1,\"server_version\":\"9.9\",\"connection_id\":\"link-1\"" +
                 more + "}");
            return hello;
        }

        public void Send(string text) { SendFrame(1, Encoding.UTF8.GetBytes(text)); }

        public void SendFrame(int opcode, byte[] payload)
        {
            var frame = new MemoryStream();
            frame.WriteByte((byte)(0x80 | opcode));
            if (payload.Length < 126)
                frame.WriteByte((byte)payload.Length);
            else if (payload.Length < 65536)
                frame.Write(new byte[] { 126, (byte)(payload.Length >> 8), (byte)payload.Length }, 0, 3);
            else
                frame.Write(new byte[] { 127, 0, 0, 0, 0, (byte)(payload.Length >> 24), (byte)(payload.Length >> 16),
                                         (byte)(payload.Length >> 8), (byte)payload.Length }, 0, 9);
            frame.Write(payload, 0, payload.Length);
            stream.Write(frame.GetBuffer(), 0, (int)frame.Length);
        }

        public void SendClose(int code, string reason)
        {
            byte[] text = Encoding.UTF8.GetBytes(reason);
            var payload = new byte[text.Length + 2];
            payload[0] = (byte)(code >> 8);
            payload[1] = (byte)code;
            text.CopyTo(payload, 2);
            SendFrame(8, payload);
        }

        /// <summary>Read the next message of this type, skipping others.</summary>
        public JsonValue Read(string type)
        {
            long end = Clock.NowMs + TimeoutMs;
            while (true)
            {
                JsonValue message = ReadMessage();
                if (Clock.NowMs > end)
                    throw new TimeoutException("no " + type + " came");
                if (message == null)
                    throw new IOException("the connection ended before a " + type + " came: " + CloseReason);
                if (message.GetString("type", "") == type)
                    return message;
            }
        }

        /// <summary>Return the next message, or null if the connection has ended.</summary>
        public JsonValue ReadMessage()
        {
            int opcode;
            byte[] payload;
            while (ReadFrame(out opcode, out payload))
            {
                if (opcode == 1)
                    return JsonReader.Read(new UTF8Encoding(false, true).GetString(payload));
                if (opcode == 8 && payload.Length >= 2)
                {
                    CloseCode = payload[0] << 8 | payload[1];
                    CloseReason = Encoding.UTF8.GetString(payload, 2, payload.Length - 2);
                }
                if (opcode == 8)
                    return null;
            }
            return null;
        }

        /// <summary>Send a message that is answered with an error and return the types of all
        /// messages received before that answer. Everything that was sent earlier has arrived by
        /// then.</summary>
        public string Sync()
        {
            var types = new List<string>();
            Send("{\"type\":\"sync\"}");
            for (JsonValue message = ReadMessage(); message != null; message = ReadMessage())
            {
                if (message.GetString("type", "") == "error")
                    return string.Join(" ", types.ToArray());
                types.Add(message.GetString("type", ""));
            }
            throw new IOException("the connection ended: " + CloseReason);
        }

        /// <summary>Read until the editor has closed the connection.</summary>
        public void ReadToEnd()
        {
            while (ReadMessage() != null)
            {
            }
        }

        bool ReadFrame(out int opcode, out byte[] payload)
        {
            opcode = 0;
            payload = null;
            var start = new byte[2];
            if (!Fill(start))
                return false;
            opcode = start[0] & 15;
            long length = start[1] & 127;
            var more = new byte[length == 126 ? 2 : length == 127 ? 8 : 0];
            var mask = new byte[4];
            if (!Fill(more))
                return false;
            if (more.Length > 0)
                length = 0;
            foreach (byte b in more)
                length = length << 8 | b;
            payload = new byte[length];
            if (!Fill(mask) || !Fill(payload))
                return false;
            for (int i = 0; i < payload.Length; i++)
                payload[i] ^= mask[i & 3];
            return true;
        }

        bool Fill(byte[] buffer)
        {
            for (int n = 0; n < buffer.Length; )
            {
                int more = Receive(buffer, n);
                if (more <= 0)
                    return false;
                n += more;
            }
            return true;
        }

        int Receive(byte[] buffer, int from)
        {
            try
            {
                return stream.Read(buffer, from, buffer.Length - from);
            }
            catch (IOException e)
            {
                var inner = e.InnerException as SocketException;
                if (inner != null && inner.SocketErrorCode == SocketError.TimedOut)
                    throw new TimeoutException("nothing came");
                return 0; /* the connection was cut */
            }
        }

        string ReadLine()
        {
            var line = new StringBuilder();
            var one = new byte[1];
            while (Fill(one) && one[0] != '\n')
                line.Append((char)one[0]);
            return line.ToString().TrimEnd('\r');
        }

        public void Dispose() { client.Close(); }
    }
}
