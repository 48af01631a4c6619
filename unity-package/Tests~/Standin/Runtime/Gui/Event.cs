namespace UnityEngine
{
    public enum EventType
    {
        MouseDown = 0, MouseUp = 1, MouseMove = 2, MouseDrag = 3, KeyDown = 4, KeyUp = 5, ScrollWheel = 6,
        Repaint = 7, Layout = 8, DragUpdated = 9, DragPerform = 10, DragExited = 15, Ignore = 11, Used = 12,
        ValidateCommand = 13, ExecuteCommand = 14, ContextClick = 16, MouseEnterWindow = 20, MouseLeaveWindow = 21
    }

    /// <summary>The event for which the GUI is drawn: layout, repaint, or user input.</summary>
    public sealed partial class Event
    {
        public static Event current { get; set; }

        public EventType type { get; set; }
        public EventType rawType { get { return type; } }
        public bool control { get; set; }
        public bool shift { get; set; }
        public bool alt { get; set; }
        public bool command { get; set; }
        public int button { get; set; }
        public int clickCount { get; set; }
        public string commandName { get; set; }

        public void Use() { type = EventType.Used; }
    }
}
