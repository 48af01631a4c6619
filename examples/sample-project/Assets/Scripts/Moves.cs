using System;
using UnityEngine;

namespace MyGame
{
    public interface IMove
    {
        Vector3 Step(float seconds);
    }

    [Serializable]
    public class WalkMove : IMove
    {
        public float speed = 1f;

        public Vector3 Step(float seconds) => Vector3.forward * (speed * seconds);
    }

    [Serializable]
    public class JumpMove : IMove
    {
        public float height = 1f;
        public Vector3 direction = Vector3.up;

        public Vector3 Step(float seconds) => direction.normalized * (height * seconds);
    }
}
