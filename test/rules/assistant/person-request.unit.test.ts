import { expect, test } from 'vitest'
import { asksForPerson } from '../../../src/rules/assistant/person-request.ts'

const ASK = [
  'وين الموظف ابي اكلمه|فين الموظف عايز اكلمه|where is the agent? I want to talk to him|وين الموظف؟',
  'where is your manager, let me speak with her|وين المدير؟ بدي احكي معه|اين المسؤول اريد التحدث معه',
  'is there an agent? I need to talk to them|wein el modeer abi akallemo',
  'connect me to an agent about my order|transfer me to a human because this does not work',
  'حولني لموظف بخصوص طلبي|ابي موظف بخصوص الطلب|speak to an agent regarding order 12',
  'ابغى اكلم موظف|ابي موظف|ابي اكلم احد|ابي احد يكلمني|ابغى احد يساعدني|موظف لو سمحت|موظفة',
  'خدمة العملاء|خدمة العملاء لو سمحت|وصلني بخدمة العملاء|حولني لخدمة العملاء|حولني للموظف',
  'حولني على احد|حولني لموظف بسرعة|حولوني لموظف|ودي اكلم المدير|المدير لو سمحت|عايز اكلم حد',
  'عاوز اكلم موظف|عايزة اكلم خدمة العملاء|ممكن اكلم حد من خدمة العملاء|ممكن اتكلم مع موظف',
  'ممكن تحولني لموظف|ممكن تحولوني على موظف؟|هاتلي موظف|هات موظف|عايز بني ادم|عايز اكلم بني ادم',
  'مش عايز اكلم روبوت|مش عايز بوت عايز بني ادم|بدي احكي مع حدا|بدي حدا يحكي معي',
  'فيني احكي مع موظف؟|وصلني بموظف|حولني عالموظف|بدي موظف|اريد التحدث إلى شخص حقيقي',
  'أرغب في التحدث مع موظف خدمة العملاء|هل يمكنني التحدث مع موظف؟|أريد التواصل مع موظف',
  'لو سمحت ابي موظف|السلام عليكم ابي اكلم موظف|السلام عليكم، ابي موظف|لا ابي موظف|مابي بوت',
  'ابغى انسان|ابي شخص حقيقي|ابي بشر|كلمني موظف|ابي احد من الموظفين|في احد اكلمه؟|ابي مسؤول',
  'ابي المسؤول|عطني المدير|نادي المدير|ابي مشرف|talk to human|talk to a human',
  'speak to a human please|I want to speak to a human|I need a human|i need to talk to someone',
  'can i talk to someone|can I speak with a real person?|let me talk to a person',
  "let me speak to your manager|I'd like to speak to a representative|representative",
  'rep please|live agent please|human agent|transfer me to a human',
  'transfer me to an agent please|connect me to a human|put me through to someone',
  'get me a human|give me a human|give me an agent|i want an agent|i want a real person',
  "i want a human not a bot|not a bot, a human|no bots please|I don't want to talk to a bot",
  'stop the bot|i want to talk to customer service|customer service|customer service please',
  'contact customer support|is there a human i can talk to|is there someone i can speak to',
  'i need someone to help me|can a human help me|can someone call me|can someone help me',
  'agent!!!|AGENT|HUMAN NOW|agent please!!|talk to agent|speak to agent|ok talk to a person',
  'no i want a human|I want to speak to a supervisor|escalate to a manager',
  'escalate this to your manager|i want to talk to ur manager|plz connect me to human',
  'need human|want human|need agent|want to talk to support|talk to support',
  'speak to technical support|ابغى الدعم|حولني للدعم الفني|ابغى customer service|عايز human',
  'حولني لو سمحت|transfer me please|enough. agent.|stop this bot, human now|I give up, human please',
  'نادولي المدير|حولني لاي موظف|I would just like to talk to somebody|can I have an agent|again: human',
  'I want to be transferred to an agent|someone from support please|ابغى احد من فريقكم|حولوني للادارة',
  'بدي agent|abi akallem mowazaf|badi mowazaf|7awelni 3ala mowazaf|3ayez akallem 7ad',
].flatMap((line) => line.split('|'))

const DO_NOT_ASK = [
  'where is the manager? I do not want to talk to him|وين طلبي، الموظف قال اليوم|where is your shop',
  'وين الموظف اللي رد علي امس|my driver is late, I want to talk to him|the agent told me to wait',
  'send me human hair samples|give me a person size chart|get me the manager chair in black',
  'i want staff uniforms|هات موظفين لمحلي|عطني شخصية كرتونية|speak soon|talk soon|call you later',
  'how do I become an agent|human hair|is it human hair|human hair wig price',
  'my agent will pick it up|my manager said yes|our manager wants 20 boxes|i am a manager',
  'are you a manager|I work in customer service|what are your customer service hours',
  'customer service number|staff discount|do your staff speak arabic|the agent told me 2 days',
  'agent told me it is ready|your employee was rude|the employee was rude|person of the year',
  'how much per person|price per person|for one person|2 persons|in person|can i pay in person',
  'can i pick up in person|personal use|someone took my parcel|someone else will receive it',
  'can someone else receive it|someone called me|did someone call me|anyone can buy it?',
  "can anyone use it|i don't want to talk to an agent|no need for an agent|no human please",
  "don't transfer me|do not transfer me to an agent|i don't need a human|no agent",
  'without an agent|i will talk to my husband|let me talk to my husband',
  'can i talk to my mom first|i need to talk to my wife|talk to you later',
  'ill talk to you tomorrow|speak arabic please|can you speak arabic|do you speak english',
  'i speak english|contact number|how can i contact you|contact details|reach 50 kg',
  'call center job|support local|does it support bluetooth|phone support stand',
  'arm support pillow|i need back support|human anatomy book|robot vacuum|robot|bot',
  'do you sell robots|manager desk|office manager chair|operator chair|is the manager nice',
  'what does a representative do|real leather|real gold|a real diamond|live lobster|live music',
  'الموظف كان وقح|الموظف قال لي بكرا|كلمت موظف امس|كلمت خدمة العملاء وما ردوا|موظفكم ما رد',
  'انا مدير شركة|خصم موظفين|عندكم خصم للموظفين|فيه وظائف|وظيفة|ابي وظيفة|توظيف|ابي اتوظف عندكم',
  'مدير المدرسة|كرسي مدير|مكتب مدير|ابي كرسي مدير|عباية لشخصين|كم شخص تكفي|وجبة لشخص|لشخص واحد',
  'شخصين|شخصي|استخدام شخصي|شعر بشري|باروكة شعر بشري|بشرة|بشرتي دهنية|كريم بشرة|انسانية',
  'حقوق الانسان|احد|الاحد|يوم الاحد|موعد الاحد|ابي موعد يوم الاحد|حد ادنى للطلب|الحد الأدنى',
  'كم الحد الاقصى|احد عنده تجربة|حد جربه|ما احد رد|محد رد علي|لا تحولني|لا تحولوني لموظف',
  'مابي اكلم موظف|ما ابي موظف|ما ابغى اكلم احد|مش عايز موظف|مش عايزة اكلم حد|بدون موظف',
  'ما بدي احكي مع حدا|لا اريد التحدث مع موظف|ابي اكلم زوجي اول|بكلم زوجي|بكلم المدام واردلك',
  'اكلمك بعدين|كلم امي|تكلم عربي|تكلموا عربي|ممكن تتكلم عربي|كيف اتواصل معكم|رقم التواصل',
  'رقم المدير|يدعم الشبكات|هل يدعم العربية|روبوت|بوت|روبوت للاطفال|كم سعر الروبوت|خدمة|خدمات',
  'خدمة التوصيل|خدمة التوصيل متاحة|ابغى اطلب|ابي اطلب|ابي اعرف السعر|عايز اعرف السعر|ممكن السعر',
  'بدي عباية|محتاج مساعدة|ابي مساعدة|ساعدني|help me|can you help me|i need help|السلام عليكم|hi',
  'thanks|مندوب|المندوب وصل|وين المندوب|المندوب ما رد علي|ابي مندوب يستلم',
  'i need a person to clean my house|is there an agent in Jeddah for your brand|وكيل',
  'وكيلكم في جدة|agent price|insurance agent|travel agent package',
].flatMap((line) => line.split('|'))

/** Questions about who answers: the assistant says what it is. */
const WONDER = [
  'هو انا بكلم بني ادم ولا روبوت؟|هو انا بكلم بني ادم ولا روبوت|انا اكلم انسان ولا بوت؟|هذا بوت ولا موظف',
  'انت انسان ولا روبوت|معي موظف ولا روبوت؟|قاعد اكلم روبوت؟|انا اكلم موظف ولا رد آلي؟|انت شخص حقيقي؟',
  'هل اتحدث مع انسان ام روبوت؟|هل اتحدث الى شخص حقيقي؟|هل أتحدث مع موظف أم مع روبوت؟|هل أنت إنسان؟',
  'هو انت بني ادم؟|هو ده بوت؟|ده رد الي ولا حد بيرد؟|ده روبوت ولا موظف|انت ذكاء اصطناعي؟|انا اكلم انسان؟',
  'عم احكي مع بوت ولا مع حدا؟|انت بني ادم ولا روبوت|عم بحكي مع إنسان ولا روبوت|هيدا روبوت ولا شخص؟',
  'حضرتك موظف ولا بوت|بكلم مين؟ بوت ولا موظف؟|مين معي انسان ولا بوت|انسان ولا روبوت؟|بوت ولا بشر',
  'اكلم بشر ولا ذكاء اصطناعي؟|انا قاعد اكلم موظف حقيقي ولا بوت|اللي يرد علي موظف ولا روبوت؟',
  'انت مش روبوت؟|انت مو بوت|ما ابي موظف ولا روبوت|ana bakallem bot wala insan?|enta robot wala insan?',
  'am I talking to a bot or a human?|am i talking to a human|am I speaking with a real person?',
  'are you a bot or human|are you a robot or a real person|are you ai?|bot or human?|human or robot',
  'is this a bot or a person?|is this a person or a machine|do i speak to a human or a bot?',
  'did I talk to a person or a bot yesterday?|not a bot?|are you not a bot?|is this not a bot',
  'are you a bot? no, do not transfer me|انت بوت؟ لا تحولني|is this a bot? get my order|هل انت بوت؟ وصلني الطلب',
  'are you a bot? how do I pay by transfer|انت روبوت؟ عطني السعر|في موظف ولا كلكم بوت؟',
  "I'm not a bot|انا المدير|transfer the money please|حدا بيعرف السعر|how much. for the agent.|" +
    "you're not a robot, right?|am i speaking to someone real or a bot|i am talking to a bot right?",
].flatMap((line) => line.split('|'))

/** And ask besides. */
const WONDER_AND_ASK = [
  'هو انا بكلم روبوت؟ عايز بني ادم|انت بوت ولا انسان؟ ابي اكلم موظف|انا اكلم بوت؟ ابي موظف',
  'ممكن اكلم بني ادم ولا لازم روبوت؟|هل يمكنني التحدث مع إنسان أم روبوت فقط؟|هل ممكن اكلم موظف؟',
  'ابي اكلم انسان ولا انتم بوت|ابي انسان مو بوت ولا روبوت|ما ابي بوت ولا روبوت|ابي موظف مو انت',
  'am I talking to a bot? I want a person|can I talk to a human or only a bot?|human not a bot',
  'do I have to talk to a bot or can I talk to a human|are you a bot? give me an agent',
  "i don't want a bot or ai|I need a human or a manager|agent or manager please|موظف او مدير",
  'في موظف ولا كلكم بوت؟ حولني|is this a bot? transfer me|are you a bot? then connect me please',
].flatMap((line) => line.split('|'))

test.each([...ASK, ...WONDER_AND_ASK])('a request for a person: %s', (said) => {
  expect(asksForPerson(said)).toBe(true)
})

test.each([...DO_NOT_ASK, ...WONDER])('no request for a person: %s', (said) => {
  expect(asksForPerson(said)).toBe(false)
})

test('a long message is for the model to read', () => {
  const wish = ', then I want to talk to a person'
  const isRead = (chars: number) => asksForPerson(wish.padStart(chars, 'If it is not there '))
  expect(isRead(160)).toBe(true)
  expect(isRead(161)).toBe(false)
})
