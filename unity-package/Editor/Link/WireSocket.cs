using System;
using System.IO;
using System.Net.WebSockets;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Multiverse.Editor
{
    /// <summary>
    /// One WebSocket with blocking calls, for one thread. Only Abort may be called from another
    /// thread; it ends every pending call. Accepts text messages in valid UTF-8 up to
    /// MaxMessageBytes; anything else closes the connection with the reason.
    /// <code>
    ///     var socket = new WireSocket(signal);             // signal is set when something came
    ///     socket.Connect(48091, null, 3000);               // throws where it cannot
    ///     socket.Send(text);
    ///     while (socket.TryReceive(out text)) ...
    ///     if (socket.HasEnded) ... socket.EndReason
    /// </code>
    /// </summary>
    public sealed class WireSocket : IDisposable
    {
        const int sendTimeoutMs = 10000;
        const int pieceBytes = 16384;
        const int keptBytes = 256 * 1024;

        static readonly UTF8Encoding strict = new UTF8Encoding(false, true);
        static readonly byte[] none = new byte[0];

        readonly ClientWebSocket socket = new ClientWebSocket();
        readonly TaskCompletionSource<bool> aborted = new TaskCompletionSource<bool>();
        readonly Action<Task> onReceived;
        /* Allocated on first use, because without a server each attempt creates a socket. */
        byte[] piece = none, message = none, sendBuffer = none;
        int messageLength;
        Task<WebSocketReceiveResult> receiving;
        bool outputIsClosed;

        public int MaxMessageBytes = ServerHello.DefaultMaxMessage;
        /// <summary>No more messages will come.</summary>
        public bool HasEnded { get; private set; }
        /// <summary>Why it ended; after a close by the server, the server's reason.</summary>
        public string EndReason { get; private set; }

        public WireSocket(AutoResetEvent signal)
        {
            onReceived = task => signal.Set();
            EndReason = "";
            socket.Options.KeepAliveInterval = TimeSpan.Zero; /* the status is the heartbeat */
        }

        public void Connect(int port, string token, int timeoutMs)
        {
            if (!string.IsNullOrEmpty(token))
                socket.Options.SetRequestHeader("Authorization", "Bearer " + token);
            var address = new Uri("ws://127.0.0.1:" + port + "/unity");
            AwaitTask(socket.ConnectAsync(address, CancellationToken.None), timeoutMs, "no answer to the connection");
        }

        public void Send(string text) { Send(new WireText(text)); }

        /// <summary>Send a message; throws if it was not sent, and then the connection is
        /// unusable.</summary>
        public void Send(WireText text)
        {
            byte[] buffer = sendBuffer;
            int bytes = text.Encode(ref buffer, MaxMessageBytes);
            if (buffer.Length <= keptBytes)
                sendBuffer = buffer;
            var segment = new ArraySegment<byte>(buffer, 0, bytes);
            AwaitTask(socket.SendAsync(segment, WebSocketMessageType.Text, true, CancellationToken.None),
                  sendTimeoutMs, "the server does not read");
        }

        /// <summary>Return true with a whole message. False: none has arrived yet, or
        /// HasEnded.</summary>
        public bool TryReceive(out string text)
        {
            text = null;
            while (!HasEnded)
            {
                if (receiving == null)
                    BeginReceive();
                if (HasEnded || !receiving.IsCompleted)
                    return false;
                WebSocketReceiveResult result = EndReceive();
                if (result != null && TakePiece(result, out text))
                    return true;
            }
            return false;
        }

        /// <summary>Announce that nothing more will be sent. Messages that the server sends before
        /// its own close still arrive.</summary>
        public void CloseOutput(WebSocketCloseStatus status, string reason)
        {
            WebSocketState state = socket.State;
            if (outputIsClosed || (state != WebSocketState.Open && state != WebSocketState.CloseReceived))
                return;
            outputIsClosed = true;
            AwaitTask(socket.CloseOutputAsync(status, reason, CancellationToken.None), sendTimeoutMs,
                  "the server does not read");
        }

        /// <summary>End the connection and every pending call now. Callable on any thread.</summary>
        public void Abort()
        {
            aborted.TrySetResult(true); /* socket.Abort does not end a hanging handshake */
            try { socket.Abort(); }
            catch (Exception) { /* it is gone already */ }
        }

        public void Dispose()
        {
            Abort();
            if (receiving != null)
                ForgetTask(receiving);
            socket.Dispose();
        }

        void BeginReceive()
        {
            if (piece.Length == 0)
                piece = new byte[pieceBytes];
            try
            {
                receiving = socket.ReceiveAsync(new ArraySegment<byte>(piece), CancellationToken.None);
            }
            catch (Exception e)
            {
                MarkEnded(e.Message);
                return;
            }
            if (!receiving.IsCompleted)
                receiving.ContinueWith(onReceived, TaskContinuationOptions.ExecuteSynchronously);
        }

        WebSocketReceiveResult EndReceive()
        {
            Task<WebSocketReceiveResult> done = receiving;
            receiving = null;
            if (done.Status == TaskStatus.RanToCompletion)
                return done.Result;
            Exception error = done.Exception != null ? done.Exception.GetBaseException() : null;
            MarkEnded(error != null ? error.Message : "the connection broke");
            return null;
        }

        bool TakePiece(WebSocketReceiveResult result, out string text)
        {
            text = null;
            if (result.MessageType == WebSocketMessageType.Close)
                return EndWith(WebSocketCloseStatus.NormalClosure,
                              string.IsNullOrEmpty(result.CloseStatusDescription)
                                  ? "the server closed the connection" : result.CloseStatusDescription);
            if (result.MessageType != WebSocketMessageType.Text)
                return EndWith(WebSocketCloseStatus.InvalidMessageType, "messages are text");
            if (messageLength + result.Count > MaxMessageBytes)
                return EndWith(WebSocketCloseStatus.MessageTooBig,
                              "a message is larger than max_message_bytes (" + MaxMessageBytes + ")");
            AppendPiece(result.Count);
            if (!result.EndOfMessage)
                return false;
            return DecodeMessage(out text);
        }

        void AppendPiece(int count)
        {
            if (messageLength + count > message.Length)
                Array.Resize(ref message, Math.Max(Math.Max(message.Length * 2, pieceBytes), messageLength + count));
            Buffer.BlockCopy(piece, 0, message, messageLength, count);
            messageLength += count;
        }

        bool DecodeMessage(out string text)
        {
            text = null;
            try
            {
                text = strict.GetString(message, 0, messageLength);
            }
            catch (ArgumentException)
            {
                return EndWith(WebSocketCloseStatus.InvalidPayloadData, "a message is not UTF-8");
            }
            messageLength = 0;
            if (message.Length > keptBytes)
                message = none;
            return true;
        }

        bool EndWith(WebSocketCloseStatus status, string reason)
        {
            try { CloseOutput(status, reason); }
            catch (IOException) { /* then it ends without the reason */ }
            MarkEnded(reason);
            return false;
        }

        void MarkEnded(string reason)
        {
            HasEnded = true;
            EndReason = reason;
        }

        void AwaitTask(Task task, int timeoutMs, string timeoutReason)
        {
            int first = Task.WaitAny(new[] { task, aborted.Task }, timeoutMs);
            if (first == 0 && task.Status == TaskStatus.RanToCompletion)
                return;
            if (first == 0 && task.Exception != null)
                throw new IOException(task.Exception.GetBaseException().Message, task.Exception.InnerException);
            ForgetTask(task);
            Abort();
            throw new IOException(first < 0 ? timeoutReason : "the connection was cut");
        }

        /* Observe the task's exception, so that it is not reported as unobserved. */
        static void ForgetTask(Task task)
        {
            task.ContinueWith(seen => { GC.KeepAlive(seen.Exception); },
                              TaskContinuationOptions.OnlyOnFaulted | TaskContinuationOptions.ExecuteSynchronously);
        }
    }
}
