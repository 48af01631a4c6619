using NUnit.Framework;
using UnityEditor;
using UnityEngine;

namespace Multiverse.Editor.Tests
{
    /// <summary>Values of every kind, from JSON into a script's fields.</summary>
    public class EditValueTests : EditFixture
    {
        EditZoo zoo;

        [SetUp]
        public void FillScene()
        {
            zoo = new GameObject("Zoo").AddComponent<EditZoo>();
            new GameObject("Body", typeof(Rigidbody), typeof(BoxCollider));
            Undo.ClearAll();
        }

        JsonValue Set(string fields) { return Update("/Zoo", 1, fields); }

        ToolError Wrong(string fields, string code = "ERR_INVALID_PARAMS")
        {
            ToolError error = Refused(code, () => Set(fields));
            Assert.AreEqual(0, EditHistory.UndoCount);
            return error;
        }

        [Test]
        public void NumbersAreAcceptedUpToTheirLimits()
        {
            Set("{'small':255,'signedSmall':-128,'tiny':-32768,'unsignedTiny':65535,'whole':-2147483648," +
                "'unsignedWhole':4294967295,'wide':-9223372036854775808,'unsignedWide':18446744073709551615," +
                "'letter':65,'real':-1e-10,'precise':0.1,'flag':true,'text':'a\\nb'}");
            Assert.AreEqual(255, zoo.small);
            Assert.AreEqual(-128, zoo.signedSmall);
            Assert.AreEqual(-32768, zoo.tiny);
            Assert.AreEqual(65535, zoo.unsignedTiny);
            Assert.AreEqual(int.MinValue, zoo.whole);
            Assert.AreEqual(uint.MaxValue, zoo.unsignedWhole);
            Assert.AreEqual(long.MinValue, zoo.wide);
            Assert.AreEqual(ulong.MaxValue, zoo.unsignedWide);
            Assert.AreEqual('A', zoo.letter);
            Assert.AreEqual(-1e-10f, zoo.real);
            Assert.AreEqual(0.1, zoo.precise);
            Assert.IsTrue(zoo.flag);
            Assert.AreEqual("a\nb", zoo.text);
            Set("{'whole':5.0,'real':'NaN','precise':'-Infinity'}");
            Assert.AreEqual(5, zoo.whole);
            Assert.IsNaN(zoo.real);
            Assert.AreEqual(double.NegativeInfinity, zoo.precise);
        }

        [TestCase("{'small':256}", "fields.small: expected an integer of 8 bits, not negative, got 256")]
        [TestCase("{'signedSmall':-129}", "fields.signedSmall: expected an integer of 8 bits, got -129")]
        [TestCase("{'unsignedWhole':-1}", "fields.unsignedWhole: expected an integer of 32 bits, not negative, got -1")]
        [TestCase("{'whole':1.5}", "fields.whole: expected an integer of 32 bits, got 1.5")]
        [TestCase("{'whole':true}", "fields.whole: expected an integer, got true")]
        [TestCase("{'whole':null}", "fields.whole: null is only for references: this is System.Int32")]
        [TestCase("{'flag':1}", "fields.flag: expected true or false, got 1")]
        [TestCase("{'text':[]}", "fields.text: expected a string, got an array")]
        [TestCase("{'real':'fast'}", "fields.real: expected a number, got \"fast\"")]
        [TestCase("{'real':1e39}", "fields.real: expected a number that fits into a float, got 1e+39")]
        [TestCase("{'precise':1e999}", "fields.precise: expected a number, got 1e999")]
        [TestCase("{'three':5}", "fields.three: expected an object with x, y, z")]
        [TestCase("{'three':{'w':5}}", "fields.three: there is no part w: expected x, y, z")]
        [TestCase("{'cell':{'x':0.5}}", "fields.cell: expected an integer of 32 bits")]
        [TestCase("{'extent':{'size':{'a':1}}}", "fields.extent: there is no part a: expected x, y, z")]
        [TestCase("{'mask':'Water'}", "fields.mask: expected the bits of the mask, an integer")]
        [TestCase("{'numbers':[1,'two']}", "fields.numbers[1]: expected an integer, got \"two\"")]
        [TestCase("{'numbers':7}", "fields.numbers: expected an array, got 7")]
        [TestCase("{'best':[]}", "fields.best: expected an object with the fields of the struct, got an array")]
        [TestCase("{'best':{'bolt':{'code':'x'}}}", "fields.best.bolt.code: expected an integer, got \"x\"")]
        [TestCase("{'best.bolt.code':'x'}", "fields.best.bolt.code: expected an integer, got \"x\"")]
        [TestCase("{'fade':{'keys':1}}", "fields.fade: expected {\"keys\": [{\"time\", \"value\", \"inTangent\", " +
                                         "\"outTangent\"}], \"preWrapMode\", \"postWrapMode\"}")]
        [TestCase("{'fade':{'keys':[1]}}", "fields.fade: expected a key: an object")]
        [TestCase("{'fade':{'keys':[],'preWrapMode':3}}", "fields.fade: there is no wrap mode 3")]
        [TestCase("{'ramp':{'colorKeys':[]}}", "fields.ramp: colorKeys is an array of 1 to 8 keys")]
        [TestCase("{'other':'Body'}", "fields.other: a reference to UnityEngine.GameObject is {\"$ref\": path}, " +
                                      "{\"$asset\": path} or null")]
        [TestCase("{'body':{'$ref':'/Body','component':'BoxCollider'}}",
                  "fields.body: the field accepts UnityEngine.Rigidbody, not UnityEngine.BoxCollider")]
        public void AWrongValueIsTold(string fields, string text)
        {
            string before = AllOf(zoo);
            Assert.AreEqual(text, Wrong(fields).Message);
            Assert.AreEqual(text, Wrong("{'whole':1," + fields.Substring(1)).Message);
            Assert.AreEqual(before, AllOf(zoo));
        }

        /* All values as one text. */
        static string AllOf(Component of)
        {
            var text = new System.Text.StringBuilder();
            using (var serialized = new SerializedObject(of))
            {
                SerializedProperty p = serialized.GetIterator();
                for (bool more = p.Next(true); more; more = p.Next(true))
                {
                    text.Append(p.propertyPath).Append(' ');
                    if (p.propertyType == SerializedPropertyType.Integer)
                        text.Append(p.longValue);
                    else if (p.propertyType == SerializedPropertyType.Float)
                        text.Append(p.doubleValue);
                    else if (p.propertyType == SerializedPropertyType.ObjectReference)
                        text.Append(p.objectReferenceValue);
                    text.Append('\n');
                }
            }
            return text.ToString();
        }

        [Test]
        public void EnumsAreSetByNameNumberAndFlags()
        {
            Set("{'size':'Large','sides':'Left, Right'}");
            Assert.AreEqual(EditSize.Large, zoo.size);
            Assert.AreEqual(EditSides.Left | EditSides.Right, zoo.sides);
            Set("{'size':1,'sides':'Top | Left'}");
            Assert.AreEqual(EditSize.Small, zoo.size);
            Assert.AreEqual(EditSides.Left | EditSides.Top, zoo.sides);
            Set("{'sides':6}");
            Assert.AreEqual(EditSides.Top | EditSides.Right, zoo.sides);
            Assert.AreEqual(3, EditHistory.UndoCount);
            UndoSteps(3);
            Assert.AreEqual("fields.size: Multiverse.Editor.Tests.EditSize has no value Larg (did you mean Large?); " +
                            "it has Small, Large", Wrong("{'size':'Larg'}").Message);
            Wrong("{'size':'Small, Large'}");
            Wrong("{'sides':256}");
        }

        [Test]
        public void OmittedPartsStay()
        {
            Set("{'three':{'y':5},'area':{'width':9},'extent':{'size':{'x':8}},'tint':{'g':1},'tint32':{'g':1}," +
                "'turn':{'w':1},'cell':{'y':-3},'voxel':{'z':7},'four':{'w':2},'two':{'x':0.5}," +
                "'tile':{'height':4},'region':{'size':{'y':2}},'mask':513}");
            Assert.AreEqual(new Vector3(1, 5, 3), zoo.three);
            Assert.AreEqual(new Rect(1, 2, 9, 4), zoo.area);
            Assert.AreEqual(new Vector3(8, 4, 6), zoo.extent.size);
            Assert.AreEqual(Vector3.one, zoo.extent.center);
            Assert.AreEqual(new Color(.1f, 1, .3f, 1), zoo.tint); /* opaque without "a" */
            Assert.AreEqual(new Color32(10, 255, 30, 255), zoo.tint32);
            Assert.AreEqual(1f, zoo.turn.w);
            Assert.AreEqual(new Vector2Int(0, -3), zoo.cell);
            Assert.AreEqual(new Vector3Int(0, 0, 7), zoo.voxel);
            Assert.AreEqual(new Vector4(0, 0, 0, 2), zoo.four);
            Assert.AreEqual(new Vector2(0.5f, 0), zoo.two);
            Assert.AreEqual(new RectInt(0, 0, 0, 4), zoo.tile);
            Assert.AreEqual(new Vector3Int(0, 2, 0), zoo.region.size);
            Assert.AreEqual(513, zoo.mask.value);
        }

        [Test]
        public void TheLastOfSeveralNamesForAValueWins()
        {
            JsonValue answer = Set("{'three.x':7,'three.z':8,'three':{'y':9},'three.x':4,'best.bolt.code':1," +
                                   "'best':{'amount':2}}");
            Assert.AreEqual(new Vector3(4, 9, 8), zoo.three);
            Assert.AreEqual(1, zoo.best.bolt.code);
            Assert.AreEqual(2, zoo.best.amount);
            Assert.AreEqual("chest", zoo.best.label);
            Assert.AreEqual(6, answer.Get("fields_set").Count);
            Assert.AreEqual(1, EditHistory.UndoCount);
        }

        [Test]
        public void FieldsAreFoundByName()
        {
            JsonValue answer = Set("{'Lives':3,'hidden':9,'forgotten':1,'managed':{'code':1},'best':{'speed':1}," +
                                   "'m_Enabled':false,'m_GameObject':null,'m_Script':null," +
                                   "'deep':{'two':{'three':{'number':6,'four':{'code':3}}}}}");
            Assert.AreEqual(new[] { "Lives", "hidden", "m_Enabled", "deep" }, Texts(answer.Get("fields_set")));
            Assert.AreEqual(new[] { "forgotten", "managed", "best.speed", "m_GameObject", "m_Script",
                                    "deep.two.three.four.code" }, Texts(answer.Get("fields_skipped")));
            JsonValue reasons = answer.Get("skipped_reasons");
            Assert.AreEqual("not_found", reasons.GetString("forgotten", ""));
            Assert.AreEqual("unsupported_type", reasons.GetString("managed", ""));
            Assert.AreEqual("not_found", reasons.GetString("best.speed", ""));
            Assert.AreEqual("read_only", reasons.GetString("m_GameObject", ""));
            Assert.AreEqual("not_found", reasons.GetString("m_Script", ""));
            Assert.AreEqual("depth_limit", reasons.GetString("deep.two.three.four.code", ""));
            Assert.AreEqual(3, zoo.Lives);
            Assert.AreEqual(9, zoo.Hidden);
            Assert.AreEqual(6, zoo.deep.two.three.number);
            Assert.IsFalse(zoo.enabled);
        }

        [Test]
        public void ArraysAreReplacedAndElementsStartWithTheirInitialValues()
        {
            Set("{'numbers':[9],'words':['a','','c'],'chests':[{'amount':1},{'bolt':{'code':2},'tint':{'b':1}},{}]}");
            Assert.AreEqual(new[] { 9 }, zoo.numbers);
            Assert.AreEqual(new[] { "a", "", "c" }, zoo.words.ToArray());
            Assert.AreEqual(3, zoo.chests.Count);
            Assert.AreEqual(1, zoo.chests[0].amount);
            Assert.AreEqual("chest", zoo.chests[0].label);
            Assert.AreEqual(1234, zoo.chests[0].bolt.code);
            Assert.AreEqual(new[] { 1f, 2f }, zoo.chests[0].weights);
            Assert.AreEqual(3, zoo.chests[1].amount);
            Assert.AreEqual(2, zoo.chests[1].bolt.code);
            Assert.AreEqual("none", zoo.chests[1].bolt.hint);
            Assert.AreEqual(new Color(0, 0, 1, 1), zoo.chests[1].tint);
            Assert.AreEqual(Color.red, zoo.chests[2].tint);
            Set("{'chests':[],'numbers':[]}");
            Assert.AreEqual(0, zoo.chests.Count);
            UndoSteps();
            Assert.AreEqual(2, zoo.chests[1].bolt.code);
        }

        [Test]
        public void CurvesAndGradients()
        {
            Set("{'fade':{'keys':[{'time':2,'value':1,'inTangent':3},{'time':0,'outTangent':1,'weightedMode':'Both'," +
                "'inWeight':0.25}],'preWrapMode':'Loop'},'ramp':{'mode':'Fixed','colorKeys':[{'color':{'r':1}," +
                "'time':1},{'color':{'g':1},'time':0}],'alphaKeys':[{'alpha':0.5,'time':0.2}]}}");
            Assert.AreEqual(2, zoo.fade.length);
            Assert.AreEqual(0f, zoo.fade[0].time);
            Assert.AreEqual(WeightedMode.Both, zoo.fade[0].weightedMode);
            Assert.AreEqual(0.25f, zoo.fade[0].inWeight);
            Assert.AreEqual(3f, zoo.fade[1].inTangent);
            Assert.AreEqual(WrapMode.Loop, zoo.fade.preWrapMode);
            Assert.AreEqual(WrapMode.ClampForever, zoo.fade.postWrapMode);
            Assert.AreEqual(GradientMode.Fixed, zoo.ramp.mode);
            Assert.AreEqual(2, zoo.ramp.colorKeys.Length);
            Assert.AreEqual(1f, zoo.ramp.colorKeys[0].color.g);
            Assert.AreEqual(1, zoo.ramp.alphaKeys.Length);
            Assert.AreEqual(0.5f, zoo.ramp.alphaKeys[0].alpha);
        }

        [Test]
        public void References()
        {
            GameObject body = GameObject.Find("/Body");
            Set("{'other':{'$ref':'/Body'},'link':{'$ref':'Body'},'body':{'$ref':'/Body'}," +
                "'anything':{'$ref':'/Body'},'part':{'$ref':'/Body','component':'Collider'}," +
                "'points':[{'$ref':'/Body'},null]}");
            Assert.AreSame(body, zoo.other);
            Assert.AreSame(body.transform, zoo.link);
            Assert.AreSame(body.GetComponent<Rigidbody>(), zoo.body);
            Assert.AreSame(body, zoo.anything);
            Assert.AreSame(body.GetComponent<BoxCollider>(), zoo.part);
            Assert.AreSame(body.transform, zoo.points[0]);
            Assert.IsTrue(zoo.points[1] == null);
            Set("{'other':null}");
            Assert.IsTrue(zoo.other == null);
            UndoSteps(2);
            const string missing = "ERR_REFERENCE_NOT_FOUND";
            Assert.AreEqual("fields.other: there is no GameObject at /Nobody",
                            Wrong("{'other':{'$ref':'/Nobody'}}", missing).Message);
            Assert.AreEqual("fields.body: /Zoo has no component of type UnityEngine.Rigidbody",
                            Wrong("{'body':{'$ref':'/Zoo'}}", missing).Message);
            Assert.AreEqual("fields.link: Zoo has no component Light",
                            Wrong("{'link':{'$ref':'/Zoo','component':'Light'}}", missing).Message);
            Assert.AreEqual("fields.points[1]: there is no GameObject at /X",
                            Wrong("{'points':[null,{'$ref':'/X'}]}", missing).Message);
            Assert.AreEqual("fields.other: $ref is the path of a GameObject, a string",
                            Wrong("{'other':{'$ref':5}}").Message);
        }

        [Test]
        public void UnchangedValuesAreNoStep()
        {
            bool wasDirty = Scene.isDirty;
            JsonValue answer = Set("{'real':1.5,'three':{'x':1,'y':2,'z':3},'numbers':[1,2,3],'best':{'amount':3}," +
                                   "'whole':9,'m_Enabled':true,'whole':7,'other':null,'words':[]}");
            Assert.AreEqual(9, answer.Get("fields_set").Count);
            Assert.AreEqual(0, EditHistory.UndoCount);
            Assert.AreEqual(wasDirty, Scene.isDirty);
            Set("{}");
            Assert.AreEqual(0, EditHistory.UndoCount);
        }
    }
}
