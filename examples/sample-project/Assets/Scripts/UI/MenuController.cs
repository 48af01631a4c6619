using UnityEngine;
using UnityEngine.SceneManagement;
using UnityEngine.UI;

namespace MyGame.UI
{
    public class MenuController : MonoBehaviour
    {
        [SerializeField] private string firstScene = "GameScene";
        [SerializeField] private Button startButton;

        public void StartGame()
        {
            startButton.interactable = false;
            SceneManager.LoadScene(firstScene);
        }
    }
}
