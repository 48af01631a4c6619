using UnityEngine;

namespace MyGame
{
    public enum ChaseMode
    {
        Idle,
        Patrol,
        Chase,
        Aggressive,
    }

    /// <summary>Walks along its waypoints, or after its target when that comes near.</summary>
    public class EnemyChaser : MonoBehaviour
    {
        [SerializeField] private float chaseSpeed = 3.5f;
        [SerializeField] private float maxSpeed = 20f;
        [SerializeField] private bool isActive = true;
        [SerializeField] private string playerName = "Hero";
        [SerializeField] private GameObject target;
        [SerializeField] private Transform spawnPoint;
        [SerializeField] private Material alertMaterial;
        [SerializeField] private ChaseMode mode = ChaseMode.Chase;
        [SerializeField] private Transform[] waypoints;
        [SerializeField] private EnemyStats stats;

        private int next;

        public float ChaseSpeed => Mathf.Min(chaseSpeed, maxSpeed);

        public string PlayerName => playerName;

        private void Start()
        {
            if (spawnPoint != null)
                transform.position = spawnPoint.position;
        }

        private void Update()
        {
            if (!isActive || mode == ChaseMode.Idle)
                return;
            var goal = Goal();
            if (goal == null)
                return;
            transform.position = Vector3.MoveTowards(transform.position, goal.position, ChaseSpeed * Time.deltaTime);
        }

        private Transform Goal()
        {
            if (mode >= ChaseMode.Chase && target != null)
                return target.transform;
            if (waypoints == null || waypoints.Length == 0)
                return null;
            if (Vector3.Distance(transform.position, waypoints[next].position) < 0.1f)
                next = (next + 1) % waypoints.Length;
            return waypoints[next];
        }

        public int Hit(EnemyStats attacker)
        {
            if (TryGetComponent<Renderer>(out var own) && alertMaterial != null)
                own.sharedMaterial = alertMaterial;
            stats.hp -= Mathf.RoundToInt(attacker.Against(stats.element));
            return stats.hp;
        }
    }
}
