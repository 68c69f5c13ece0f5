// snippet:doc https://docs.unity3d.com/Manual/class-ScriptableObject.html ScriptableObject
// snippet:about Unity 3D
using UnityEngine;

[CreateAssetMenu(fileName = "New Weapon", menuName = "Game/Weapon")]
public class Weapon : ScriptableObject
{
    [field: SerializeField, Min(0)]
    public int Damage { get; private set; } = 10;

    [field: SerializeField, Range(0.1f, 10)]
    public float ShotsPerSecond { get; private set; } = 2;

    [field: SerializeField]
    public AudioClip Sound { get; private set; }

    public float Cooldown => 1 / ShotsPerSecond;
}
