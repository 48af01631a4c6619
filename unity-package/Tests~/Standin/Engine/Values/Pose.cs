using System;

namespace UnityEngine
{
    [Serializable]
    public struct Pose
    {
        public Vector3 position;
        public Quaternion rotation;

        public Pose(Vector3 position, Quaternion rotation)
        {
            this.position = position;
            this.rotation = rotation;
        }

        public static Pose identity { get { return new Pose(Vector3.zero, Quaternion.identity); } }
    }
}
