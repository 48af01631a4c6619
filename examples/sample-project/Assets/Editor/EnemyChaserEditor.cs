using MyGame;
using UnityEditor;
using UnityEngine;

namespace MyGame.Editing
{
    [CustomEditor(typeof(EnemyChaser))]
    public class EnemyChaserEditor : Editor
    {
        public override void OnInspectorGUI()
        {
            DrawDefaultInspector();
            EditorGUILayout.LabelField("Speed", ((EnemyChaser)target).ChaseSpeed.ToString("0.0"));
        }
    }
}
