/**
 * Words by which a customer asks for a person: Arabic of the Gulf, Egypt and the Levant, Arabizi, English. They are
 * written as people write them; readers fold them first. A line holds phrases separated by `|`.
 */

/** Words for a person of the business. The word alone is a request. */
const PERSON = [
  'agent|agents|an agent|live agent|human agent|support agent|customer agent|human|humans',
  'real people|actual people|real ppl|humen|human being|a human|person|a person|real person',
  'real human|persn|someone real|sm1 real|somebody real|actual person|actual human',
  'representative|rep|reps|customer representative|customer service representative',
  'service rep|customer rep|manager|your manager|supervisor|staff|staff member',
  'a member of staff|employee|operator|human operator|live person|live human|live support',
  'customer service|customer services|customer support|customer care|costumer service',
  'custmer service|customer service team|customer service agent|support team|human support',
  'احد من فريقكم|حد من فريقكم|حدا من فريقكم|احد من الفريق|حد من الفريق|احد من الادارة',
  'حد من الادارة|حدا من الادارة',
  'موظفينكم|موظفيكم|موظف خدمه عملاء|موظفه خدمه عملاء|ممثل خدمه عملاء|رد بشري|رد من موظف|مساعده من موظف',
  'مساعده بشريه|مساعده من شخص|شخصا حقيقيا|انسانا|انسانا حقيقيا|موظفا|someone from support',
  'somebody from support',
  'someone from the team|someone from sales|human help|human assistance|human contact',
  'human representative|human staff|help from a human',
  'help from a person|help from someone|help from an agent|help from your team|assistance from a person',
  'helpdesk|help desk|موظف|موظفه|موظفين|موظفكم|موضف|موضفه|موظف حقيقي|موظف بشري',
  'موظف خدمه العملاء|موظف خدمه|موظف خدمة العملاء|الموظف|الموظفه|الموظفين|الموضف|احد الموظفين',
  'احد من الموظفين|حد من الموظفين|حدا من الموظفين|واحد من الموظفين|مدير|المدير|مديركم|مديره',
  'المديره|مسوول|المسوول|مسيول|المسيول|مسؤول|المسؤول|مسوولين|المشرف|مشرف|انسان|انسان حقيقي',
  'بشر|بشري|بني ادم|بنادم|شخص حقيقي|شخص طبيعي|حد حقيقي|احد حقيقي|حدا حقيقي|موظف مبيعات',
  'خدمه العملاء|خدمة عملاء|خدمه عملاء|خدمة الزباين|خدمه الزبائن|خدمة زباين|خدمة المشتركين',
  'الدعم البشري|دعم بشري|دعم فني بشري|الدعم الفني البشري|ممثل خدمه العملاء|ممثل خدمه|ممثل',
  'كول سنتر|الكول سنتر|call center|call centre|contact center|mowazaf|mowazzaf|muwazaf',
  'muwazzaf|mwazaf|mowathaf|mowadaf|mowazef|mowazafa|insan|bashar|moder|modeer|mudeer',
  'el modir|elmodir|el modeer|mas2ool|masool|mas2oul|5edmet el 3omala|khedmet el 3omala',
  '5dmt el3omla|khidmat al 3umala',
]

/** Words for the business's team, which alone may ask for less than a person. */
const TEAM = [
  'support|technical support|tech support|the support|help team|الدعم|دعم|الدعم الفني|دعم فني',
  'فريق الدعم|الفريق|team|your team|someone from your team|somebody from your team|sales team',
  'the sales team',
]

/** Departments, which ask for a person only next to a verb of talking. */
const DEPARTMENT = [
  'sales|management|owner|shop owner|boss|your boss|the boss|reception|receptionist|المبيعات',
  'قسم المبيعات|الاداره|اداره|صاحب المحل|صاحب المتجر|الاستقبال|السكرتيره|قسم الشكاوي|الشكاوي',
  'المشرفين|admin|الادمن|ادمن|صاحبه المتجر|فريق العمل|فريقكم|احدكم|واحد منكم|حد منكم|احد منكم',
  'حدا منكن|one of you|one of your team|one of your staff',
]

/** Anybody at all. */
const ANYBODY = [
  'someone|somebody|some one|anyone|anybody|any one|sm1|sum1|some1|any1|حد|حدا|احد|احدا|شخص',
  'اي شخص|اي احد|اي حد|اي حدا|واحد|7ada|7ad|hada|had|a7ad|ahad|sha5s|shakhs|wa7ad|wahed',
]

const WANT = [
  'id prefer to|i would prefer to|id prefer|i would prefer|i prefer|id rather|i would rather',
  'i only want to|i only want',
  'i demand|i demand to|i insist to|i request|i request to|requesting|i would just like to',
  'id just like to|i would really like to|i just want to|i just need to|we would like to',
  'we want to|can i have',
  'could i have|may i have|can i get|could i get|let me have|ارغب بال|ارغب ان|اود ان|اريد ان|نفسي',
  'i want|want|i want to|want to|wanna|i wanna|wana|i need|need|i need to|need to',
  'i would like|i would like to|id like|id like to|i wish to|i prefer to|i have to|i must',
  'gotta|i gotta|can|could|can i|could i|may i|can i please|could i please|can you|could you',
  'can u|would you|would u|please let me|let me|lemme|how do i|how can i|how to',
  'is it possible to|i said|ابي|ابى|ابغي|ابغا|ابغه|ودي|نبي|نبغي|حاب|حابه|حابب|بدي|بدنا|عايز',
  'عايزه|عاوز|عاوزه|عايزين|اريد|نريد|ارغب|ارغب في|ارغب ب|اود|محتاج|محتاجه|احتاج|لازم|ممكن',
  'ممكن لو سمحت|اقدر|بقدر|فيني|فيي|كيف|كيف اقدر|كيف ممكن|ازاي|شلون|هل يمكنني|يمكنني|هل يمكن',
  'هل استطيع|استطيع|ينفع|خلني|خليني|خلوني|سيبني|قلت لك|قلت|abi|abgha|abghy|badi|baddi|bddi',
  'bedi|bidi|3ayez|3ayz|3awez|3awz|3ayza|3awza|momken|mumkin|mmkn|fini|fiyi|areed|2adar|a2dar',
  'agdar|wedi|lazem|na7taj|me7tag',
]

const TALK = [
  'a word with|complain to|insist on talking to|insist on speaking to|insist on speaking with|meet with',
  'اشتكي|اشكي|اشتكي ل|اقابل|بالتحدث مع|بالتحدث الى|بالتواصل مع|بالكلام مع|تحدث مع|تحدث الى|تكلم مع',
  'تكلم الى|talk to|talk with|talk 2|tlk to|tlk with|tlk 2|talk|speak to|speak with|speak 2|speak',
  'speek to|speek with|speek|spek to|chat with|chat to|live chat with|live chat|contact|reach',
  'get in touch with|get hold of|deal with|communicate with|have a word with|discuss with',
  'اكلم|نكلم|اكلملي|كلم|اتكلم مع|اتكلم|التكلم مع|التكلم الى|التكلم|كلام مع|احكي مع|احكي',
  'احكى مع|احاكي|نحكي مع|الحكي مع|اتحدث مع|اتحدث الى|اتحدث|التحدث مع|التحدث الى|التحدث',
  'اتواصل مع|اتواصل|تواصل مع|التواصل مع|التواصل|اتفاهم مع|اخاطب|محادثه|محادثه مع',
  'محادثه مباشره مع|دردشه مع|اتصل ب|اتكلم ويا|احجي ويا|احجي مع|احكي ويا|akallem|akalem|akalim',
  'akallim|a7ki ma3|a7ki|e7ki ma3|e7ki|ehki ma3|ahki ma3|atkalem ma3|atkallem ma3|atkalam ma3',
  '2akallem|tkalam ma3',
]

const CONNECT = [
  'be transferred to|be connected to|be put through to|get transferred to|get connected to',
  'put me on to|put me on with|get me on to|جيب لي|هات لي|نادي لي|ناد لي|وصل لي|نادولي|نادولنا',
  'connect me|connect me to|connect me with|connect to|connect with|transfer me',
  'transfer me to|transfer|transfer to|forward me|forward me to|pass me|pass me to',
  'pass me on to|put me through|put me through to|hand me over|hand me over to|hand me to',
  'redirect me|redirect me to|escalate|escalate to|escalate this to|escalate me to',
  'switch me to|switch to|get me|give me|bring me|send me|send me to|link me to|call',
  'assign me|assign me to|refer me to|route me to|get|bring|حولني|حوليني|حولوني|حولنا|حول',
  'حولو|حولي|حول المحادثه|حول المحادثه الى|حول لي|حوللي|تحويل|التحويل|تحويلي|تحولني|تحوليني',
  'تحولوني|وصلني|وصليني|وصلوني|توصلني|وصلنا|اوصلني|ربطني|اربطني|عطني|عطيني|عطوني|اعطني|اعطيني',
  'اعطوني|هات|هاتلي|هاتولي|هاتوا|جيب|جيبلي|جيبوا|جيبولي|نادي|نادلي|ناديلي|نادوا|كلملي|اديني',
  'ادوني|خلي|خل|خلوا|طلعلي|شوفلي|شوفولي|دخلني على|7awelni|7awlni|hawelni|7awilni|hawilni',
  'wasselni|waslni|wasalni|7wlny|7awelny|hatly|hatli|3tini|a3tini|3atni',
]

/** Words between the request and the person. */
const TO = [
  'لاي|باي|to|with|a|an|the|your|some|any|real|actual|live|proper|another|from|of|at|me|one|ur|u r',
  'me to|me with|human to|على|الى|علي|ل|ب|مع|عند|ع|من|احد من|وي|ويا|ma3|3ala|la|el|al|3ind',
]

/** Behind the word for a person, it says no more of them, or begins to. */
const OF_PERSON = [
  'حقيقي|حقيقيه|طبيعي|بشري|بشريه|عندكم|من عندكم|عندكن|من عندكن|منكم|من طرفكم|من فريقكم|مختص',
  'مختصه|ثاني|تاني|غيرك|اخر|instead|real|alive|else|here|there|from your team|from your side',
  'with me|to me',
  'who|that|بيعرف|اللي|الذي|يعرف|فاهم|يكون',
]

/** Words after the word for a person that begin its purpose. */
const ABOUT = [
  'about|regarding|concerning|because|as|since|عن|بخصوص|بشان|عشان|علشان|لان|لاني|بسبب|فيما يخص',
]

/** Phrases for what the person is needed for. */
const REACH = [
  'بيفهم|بيساعدني|بيرد|بيرد علي|بيرد عليا|بيحكي معي|بيكلمني',
  'i can talk to|i can speak to|i can speak with|i could talk to|i could speak to',
  'i can talk with|i can chat with|to talk to|to speak to|to speak with|to talk with',
  'to chat with|talk to me|speak to me|speak with me|to help me|to help|to assist me',
  'who can help|who can help me|that can help me|help me|to answer me|answer me|to contact me',
  'contact me|to call me|to reply to me|reply to me|chat with me|يرد علي',
  'يرد عليا|يرد عليي|يرد علينا|يرد|يجاوبني|يجاوب علي|يكلمني|يكلمنا|يحكي معي|يحكيني|يتكلم معي',
  'يتكلم معايا|يحاكيني|يتواصل معي|يتواصل معايا|يتصل فيني|يتصل بي|يتصل بيا|يتصل علي|يدق علي',
  'يساعدني|يخدمني|يفهمني|يفهم|يفهم علي|يفيدني',
  'يتابع معي|يتابع معايا|يحل مشكلتي|يشوف مشكلتي|يرد عليه|yred 3alay',
  'yrod 3alaya|yekallemni|ykalemni|ysa3edni',
]

/** Requests to talk to a person who was named before. */
const TALK_TO_THEM = [
  'talk to him|talk to her|talk to them|talk with him|talk with her|talk with them|speak to him',
  'speak to her|speak to them|speak with him|speak with her|speak with them|chat with him',
  'chat with her|chat with them|reach him|reach her|reach them|contact him|contact her',
  'contact them|اكلمه|اكلمها|اكلمهم|نكلمه|احكي معه|احكي معو|احكي معاه|احكي معها|احكي معهم',
  'احكيه|احاكيه|احاكيها|اتكلم معاه|اتكلم معه|اتكلم معاها|اتكلم معها|اتحدث معه|اتحدث معها',
  'اتحدث اليه|اتواصل معه|اتواصل معاه|اتفاهم معه|اتفاهم معاه|التحدث معه|التحدث اليه|التكلم معه',
  'اقدر اكلمه|ممكن اكلمه|akallemo|akalemo|akallmo|akallemha|a7ki ma3o|a7ki ma3ah|atkalem ma3ah',
]

/** Questions about where a person is. */
const WHERE = [
  'where is|where are|wheres|where is the|where are the|wheres the|where is your|where are your',
  'where|وين|فين|اين|وينه|وينهم|فينه|فينهم|وينكم|فينكم|wen|wein|ween|fen|fein|feen',
]

/** A wish to be called, which only a person can fulfil. */
const CALL_ME = [
  'call me|call me please|call me back|please call me|please call me back|give me a call',
  'كلموني|كلمني|كلميني|اتصلوا فيني|اتصلوا بي|اتصل بي|اتصل فيني|اتصلوا علي|اتصلو فيني|دقوا علي',
  'دق علي|كلموني لو سمحتوا|رنوا علي',
]

const DENY = [
  'stop this|enough of this|enough with this|no more of this|not|no|dont|do not|never|without',
  'instead of|no need|no need for|no need to|dont need',
  'dont need to|i dont need|i dont need to|dont want|dont want to|i dont want|i dont want to',
  'i do not want|i do not want to|do not want|i do not need|i dont think i need',
  'i dont think i want|no more|stop|stop the|enough|enough with|enough of|tired of|sick of',
  'rather than|not want|cant|cannot|didnt|wont|isnt|hate|i hate|anything but|ما|مو|مب|موب|مش',
  'مهو|ماهو|ليس|لست|غير|بدون|بلا|لا تحولني|لا توصلني|لا تحولوني|مابي|ما ابي|مابغي|مابغا|مابغى',
  'ما ابغي|ما ابغى|مابدي|ما بدي|بديش|ما بديش|ماودي|ما ودي|مش عايز|مش عايزه|مش عاوز|مش عاوزه',
  'مو عايز|لا اريد|لا ارغب|لا احتاج|ما احتاج|ما يحتاج|مايحتاج|مو لازم|مش لازم|مب لازم',
  'مو محتاج|مش محتاج|لا داعي|ما له داعي|ما في داعي|ماودي اكلم|ولا|مليت من|زهقت من|طفشت من',
  'mabi|ma abi|ma badi|mabadi|mish|msh|mesh|mo|mish 3ayez|msh 3ayez',
]

const ROBOT = [
  'bot|bots|robot|robots|the bot|chatbot|chat bot|machine|machines|ai|automated|automatic',
  'automated reply|automatic reply|computer|روبوت|الروبوت|روبوتات|بوت|البوت|رد الي|الرد الالي',
  'رد تلقائي|الرد التلقائي|ذكاء اصطناعي|الذكاء الاصطناعي|مجيب الي|كمبيوتر|ماكينه|robotat',
]

/** Between a person and a robot, of which one is wondered at. */
const OR = ['or|او|ام|wala|walla|wella|willa|aw']

/** Words for the sender of the answers, or for the answers. */
const YOU = [
  'im not a|i am not a|im no|we are not|you|youre|you are|are you|r u|are u|is this|this is',
  'is it|it is|its|انت|انتي|انته|انتو|انتم|انتوا',
  'هذا|هذي|ده|دي|هيدا|هيدي|هاد|هاي|هو|هل انت|هل هذا|هو انت|هو ده|enta|inta|enti|inti',
]

/** Phrases that wonder at what is happening, which ask for no person. */
const WHETHER = [
  'am i|do i|did i|هل|هل انا|هو انا|عم|عمال|عماله|قاعد|قاعده|جالس|جالسه|انا قاعد|انا قاعده',
  'انا جالس|انا جالسه|انا عم',
]

/** Haste and kindness, which change nothing. */
const FILLER = [
  'yeah|yep|um|uh|hmm|well|actually|بقى|بقا|ياريت|يا ريت|لو ممكن|يعني|please|just|pls|plz|plss',
  'thanks|thank you|thx|ok|okay|now|right now|asap|immediately',
  'urgently|urgent|quickly|today|directly|hi|hello|hey|sir|madam|bro|dear|kindly|yes|sorry',
  'again|then|so|hello there|good morning|good evening|لو سمحت|لو سمحتي|لو سمحتوا|لو سمحتو',
  'لوسمحت|لو تكرمت|لو تكرمتوا|من فضلك|من فضلكم|تكفى|تكفي|تكفون|الله يخليك|الله يخليكم',
  'الله يعافيك|الله يسعدك|بليز|رجاء|ارجوك|ارجوكم|شكرا|مشكور|يعطيك العافيه|الله يعطيك العافيه',
  'معلش|فضلا|بعد اذنك|الحين|الان|دلوقتي|هلق|هلا|حالا|فورا|بسرعه|ضروري|مباشره|طيب|تمام|اوكي',
  'نعم|اي|ايوه|يا اخي|يا خوي|اخوي|اخي|يا اخت|اختي|السلام عليكم|سلام عليكم|مرحبا|هلا والله',
  'صباح الخير|مساء الخير|حضرتك|بس|فقط|انا|والله|يا جماعه|خلاص|اه|كنت|كنت ابغى|law sama7t',
  'law sm7t|min fadlak|salam|tekfa|🙏|😡|😭|😤|😠|😢|😞',
]

/** Phrases by their role in a request for a person. */
export const PERSON_PHRASES = {
  person: PERSON,
  team: TEAM,
  department: DEPARTMENT,
  anybody: ANYBODY,
  talkToThem: TALK_TO_THEM,
  where: WHERE,
  reach: REACH,
  callMe: CALL_ME,
  talk: TALK,
  connect: CONNECT,
  deny: DENY,
  robot: ROBOT,
  or: OR,
  you: YOU,
  whether: WHETHER,
  want: WANT,
  to: TO,
  ofPerson: OF_PERSON,
  about: ABOUT,
  filler: FILLER,
} as const
