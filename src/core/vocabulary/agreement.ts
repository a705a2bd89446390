/**
 * Words and phrases by which a customer agrees to a confirmation text or refuses it: Arabic of the Gulf, Egypt and
 * the Levant, Arabizi, English. They are written as people write them; readers fold them first.
 */
import {
  CANCEL_FORMS,
  CONTENT_WITH,
  DO_NOT_CANCEL_FORMS,
  DO_NOT_FORMS,
  DOING_FORMS,
  LEFT_AS_IT_IS,
  NO_TROUBLE,
  NO_WITH_THANKS,
  PRAISES,
} from './agreement-forms.ts'

/** Alone, it agrees. */
const YES = [
  ...NO_TROUBLE,
  ...CONTENT_WITH,
  'اوكد|نوكد|باكد|بوافق|نعم اوافق|نعم اوكد|awafe2|awafeq|bwafe2',
  // English
  'yes|yess|yep|yup|yea|yeah|yeh|yah|yas|ya sure|yes indeed|yes sir|aye|affirmative|indeed|ok|okay',
  'okey|okie|oki|okey dokey|okie dokie|okeydokey|okok|alright|all right|alrighty|sure|sure thing',
  'for sure|of course|ofc|ofcourse|off course|absolutely|definitely|certainly|by all means|go ahead',
  'go for it|carry on|proceed|please proceed|please do|yes please do|fine|thats fine|that is fine',
  'fine by me|fine with me|ok by me|ok with me|good with me|thats ok|thats okay|that is ok',
  'that is okay|sounds good|sounds great|sounds fine|sounds perfect|sounds right|thats good',
  'works for me|that works|im ok with that|im fine with that|i agree|agree|agreed|i do agree',
  'we agree|i accept|accept|accepted|i approve|approve|approved|i confirm|i do confirm|confirmed',
  'deal|its a deal|lets do it|lets do this|lets do that|no problem|no prob|no problem at all',
  'no problems|np|not a problem|no issue|no issues|no objection|no objections|no worries go ahead',
  'i have no problem|i have no objection|happy to|with pleasure|you have my permission',
  'permission granted|i give my consent|i consent',
  // Arabic
  'نعم|نعم نعم|ايوه|ايوا|ايوى|ايواه|ايوم والله|ايه والله|ايه نعم|ايه اكيد|اي|اي والله|اي نعم',
  'اي اكيد|ايوالله|اه|اه طبعا|هيه|هيه نعم|اجل|يس|ييس|يب|يپ|اوكي|اوكيه|اوك|اوكى|اوكا|اوكيك|اكي',
  'اوكي دوكي|تمام|تمم|تمام التمام|تمامو|كله تمام|طيب|طب ماشي|زين|زين والله|ماشي|ماشي تمام|اشطه|اشطا',
  'قشطه|قشطا|حسنا|حسنا موافق|اكيد|اكييد|طبعا|طبعن|بالطبع|بالتاكيد|بكل تاكيد|بكل سرور|موكد|موافق',
  'موافقه|موافقين|موافقون|اوافق|نوافق|وافقت|اوافق على ذلك|اوافق على هذا|موافق على ذلك|موافق عليه',
  'موافقه عليه|انا موافق|انا موافقه|احنا موافقين|نحن موافقون|اقبل|قبلت|نقبل|مقبول|قابل|اتفقنا',
  'متفقين|متفق|لا مانع|لا مانع لدي|لا مانع عندي|لا يوجد مانع|ما عندي مانع|ماعندي مانع|ما في مانع',
  'مافي مانع|مافيه مانع|ما فيه مانع|مفيش مانع|ما فيش مانع|معنديش مانع|ما عنديش مانع|ماعنديش مانع',
  'ما عنا مانع|ماعندنا مانع|ما عندنا مانع|ماكو مانع|ماكو مشكله|ما كو مشكله|ليس لدي مانع|ما لدي مانع',
  'ليس عندي مانع|بدون مانع|لا مشكله|لا مشاكل|لا توجد مشكله|لا يوجد مشكله|لا يوجد اي مشكله',
  'لا توجد اي مشكله|ما في مشكله|مافي مشكله|مافيه مشكله|ما فيه مشكله|مافي مشكل|ما في مشكل|مفيش مشكله',
  'ما فيش مشكله|مافيش مشكله|مفيش مشاكل|مافي مشاكل|ما عندي مشكله|ماعندي مشكله|معنديش مشكله',
  'ما عنديش مشكله|مو مشكله|مب مشكله|مش مشكله|مهي مشكله|ما هي مشكله|لا اعتراض|لا اعتراض لدي',
  'ما عندي اعتراض|ليس لدي اعتراض|مو مانع|على الرحب|تم|تم موافق',
  // Arabizi
  'aywa|aiwa|aywah|aiwah|ayua|aywaa|eywa|iwa|aywallah|ay wallah|ey wallah|ee wallah|eh wallah',
  'eeh wallah|na3am|n3am|naam|na3m|n3m|tamam|tmam|tamaam|tmm|tammam|mashi|mashy|mashe|maashi|machi',
  'akeed|akid|akeid|akiid|akeedd|tab3an|tb3an|tabaan|taba3an|bel ta2keed|belta2keed|zein|tayeb',
  'tayyeb|tayib|tayb|6ayb|taib|mwafe2|mwafek|mwafeq|mwafi2|mwafig|mwafej|mowafe2|mowafek|mowafeq',
  'mowafi2|mowafiq|muwafiq|mwafq|mwafg|mwaf8a|mwaf2a|mwafka|mwafqa|mowafka|mowaf2a|mowafqa|muwafiqa',
  'mwafga|mafi moshkila|mafi mushkila|mafi moshkela|ma fi moshkila|ma fi mushkila|mafi mishkle',
  'ma fi mishkle|mafi mshkla|mafi mshkle|mafesh moshkela|mafish moshkela|mafesh mushkila',
  'mafish mushkila|mish moshkela|msh moshkela|mish mushkila|mo moshkila|mo mushkila|mish mishkle',
  'mesh moshkela|ma 3ndi mane3|ma3ndi mane3|ma 3indi mane3|mafi mane3|ma fi mane3|mafesh mane3',
  'mafish mane3|la mane3|2ashta|ashta|eshta|2eshta|oukay|okkay',
  // Signs
  '👍|✅|✔|☑|👌|🆗|انا اوافق|نحن نوافق|انا موافقه طبعا|موافقا|اوكيه تمام|سوي اللازم|سو اللازم|ايه ابي',
  'ايه بدي|ايه ابغى|lets proceed|lets go ahead|no probs|not an issue|no issue with that',
  'no problem with that|i have no objections|i dont have any problem|i dont have a problem',
  'i have no problem with that|i agree to this|i agree to that|i agree with this|i agree with that',
  'i approve this|i approve that|i approve it|i accept this|i accept that|i accept it',
  'most definitely|oki doki|oki dokie|yes please confirm|that sounds good|that sounds great',
  'its a yes|it is a yes|thats a yes|that is a yes|big yes|definitely yes|confirming|ok to go',
  'yes it is|وافقنا|موافقون|احنا تمام|منيح هيك|كويس هيك|حلو هيك|i give my permission|تمام كده',
  'تمام كدا|تمام كذا|تمام هيك|كده تمام|كدا تمام|كذا تمام|هيك تمام|ماشي كده|حلو كده|كويس كده|زين كذا',
  'زين كده|موافق تماما|موافقه تماما|اوافق تماما|متفق تماما|موافق كليا|اوكد ذلك|اوكد هذا|نوكد ذلك',
  'اقبل ذلك|اقبل بذلك|ايه معلوم|اي معلوم|ايوه معلوم|ay na3am|ey na3am|ee na3am|eh na3am',
  'i confirm it|i confirm this|i confirm that|without a doubt|بكل ممنونيه|mwafeg|mwafag|mwafe8',
  'mwafi8',
]

/** Agreement that names the act, such as "do it". After a proposal to cancel it may also mean the order. */
const ACT = [
  'please do it|please do it now|yes please do it|make the change|make the changes|make it so',
  'make it happen|apply the change|submit it|قم بذلك|قوموا بذلك|افعل ذلك|افعلوا ذلك|افعلها',
  'نفذ الطلب|نفذوا الطلب|نفذ ذلك|قم باللازم|اعمل اللازم|اعملوا اللازم|نفذ الاجراء|do it|do so',
  'do that|just do it|confirm|confirm it|confirm that|confirm this|continue|go on|execute|كمل|كملي',
  'كملو|كملوا|كملها|كمله|كملوها|كملوه|اكمل|تابع|استمر|واصل|اعتمد|اعتمده|اعتمدها|اعتمدوا|اعتمدوه',
  'اعتمدوها|اعتمدو|اعتمديه|اعتمديها|اعتمدي|اعتمدته|نعتمد|اكد|اكده|اكدها|اكدوا|اكدو|اكدوه|اكدوها',
  'اكديه|اكديها|اكدلي|ثبت|ثبته|ثبتها|ثبتوه|ثبتوها|ثبتوا|نفذ|نفذه|نفذها|نفذوا|نفذوه|نفذوها|سوها|سوه',
  'سويها|سويه|سوي|سووها|سووه|سوو|سو|اعملها|اعمله|اعمليها|اعمليه|اعملوها|اعملوه|اعملو|اعملوا',
  'اعمل كده|اعمل كذا|اعمل كدا|سوي كدا|اعملها كدا|سوي كذا|سو كذا|سوي كده|اعملي كده|اعملوا كده',
  'اعمل هيك|عملها|عملو|زبطها|زبطه|زبطو|زبطوها|ظبطها|مشيها|مشيه|مشوها|توكل كمل|kamel|kammel|kmel',
  'kmal|kammil|kamil|e3mela|e3melha|3melha|3mela|sawha|sawwha|sawiha|sawwiha|do it now|do it asap',
  'do it right away|go ahead and do it|please do that|please do this|please do so|do this',
]

/** Weak agreement: a part of a yes next to it, unclear next to a no, and not enough alone. */
const SOFT = [
  ...PRAISES,
  'great|good|perfect|excellent|nice|cool|super|wonderful|amazing|awesome|all good|very good|right',
  'correct|exactly|true|k|its ok|its okay|its fine|it is ok|it is fine|go|lets go|no worries',
  'i dont mind|dont mind|i do not mind|why not|yalla|yala|zain|ya reit|ya ret|yareit|3adi|3ady',
  '3adey|very well|great idea|good idea|ممتاز|ممتازه|حلو|حلوه|جميل|رائع|كويس|كويسه|معلوم|ارجو ذلك',
  'اتمنى ذلك|اتمنى|بتمنى|im sure|i am sure|im certain|i am certain|منيح|مليح|حلو كتير|عظيم|جيد',
  'جيد جدا|فل|ميه ميه|ميه بالميه|عال|عال العال|صح|صحيح|مظبوط|مضبوط|مزبوط|بالضبط|عادي|عاديه|يصير',
  'قدام|وماله|و ماله|بسيطه|سهله|هينه|تفضل|تفضلي|تفضلوا|اتفضل|اتفضلي|توكل على الله|توكلنا على الله',
  'توكل|توكلنا|على بركه الله|على بركة الله|يلا|يله|يالله|يلا بينا|يلا بنا|هيا|هيا بنا|بلى|صار|تكرم',
  'تكرم عينك|تكرمي|على راسي|على عيني|من عيوني|عيوني|ابشر|حاضر|يا ريت|ياريت|يا ليت|ياليت|ليش لا',
  'ليه لا|لم لا|ماشي الحال|واجب|لا باس|لاباس|لا شك|بلا شك|ما يخالف|مايخالف|مفيش ضرر|ولا يهم|💯|🤝|👏|💪',
  '🙌|مشي|kk|امش|امشي|ابشري|حياك|it is|thatd be great|that would be good|that would be nice',
  'id love that|i would love that|that would be great|i would love to|love it|im in|let us go',
]

/** Agreement only next to a kind word: alone it is also the Egyptian "what", or a letter. */
const HALF = ['ايه|ايي|eh|eeh|ee|eih|y|ya|ye|ah|aah|ahh']

/** Alone, or with anything behind a comma, it refuses. */
const NO = [
  ...NO_WITH_THANKS,
  'no|nope|nah|naw|nay|noo|no no|no no no|no way|hell no|no sir|نو|نوو|absolutely no|definitely no',
  'لا بالتاكيد|لالالا|no i dont think so|no im sorry|no it isnt|no thats not it|no that is not it',
  'actually no|actually not|no actually|well no|no not yet|no not now|id rather you didnt|negative',
  'never|never ever|no never|absolutely not|definitely not|certainly not|of course not|not at all',
  'no chance|لا|لالا|لا لا|لاء|لااا|لاه|لا ه|لع|لؤ|لو لا لا|كلا|كلا كلا|لا والله|لا ابدا|ابدا',
  'لا والف لا|والف لا|اطلاقا|نهائيا|بالمره|على الاطلاق|مستحيل|مستحيلا|بلاش|بلاش خلاص|لا بلاش|la|laa',
  'la2|la2a|la2ah|laa2|lala|la la|la shukran|la mashkoor|balash|blash|mosta7il|👎|❌|🚫|✖|❎|🙅|⛔|n|ابد',
  'لا ابد|لا طبعا|طبعا لا|لا اكيد|اكيد لا|بالطبع لا|بالتاكيد لا|قطعا لا|لا قطعا|لا خالص|لا بالمره',
  'انا رافض|لا انا رافض|لا سمح الله|no of course|no i dont|no i do not|no i wont|no its not',
  'no its not right|no i cant|no i cannot|thanks but no|thanks but no thanks|thank you but no',
  'sorry but no|im afraid not|i am afraid not|unfortunately no|unfortunately not|no unfortunately',
  'rather not|of course no|certainly no|no good|لا بلا|لا الله يخليك|لك لا|لك لا لا|لك لأ|يا لا',
  'ولك لا|لا يا عمي',
]

/** A refusal that needs no other word, unless a yes is said as well. */
const REFUSAL = [
  'مش محتاجين|مو محتاجين|ملوش لازمه|مالو لزوم|ليس ضروريا|ليس ضروري|غير ضروري|غير مناسب|رافضين',
  'لا نقبل|ما نقبل|ill pass|i will pass|lets not|lets not do it|lets not do that|لا هالمره',
  'مو هالمره|مش هالمره|ما نحتاجه|مهب موافق|مهب موافقه|مهوب موافق|مهوب موافقه|موب موافق|موب موافقه',
  'منيب موافق|منيب موافقه|مانيب موافق|مانيب موافقه|ماني موافق|ماني موافقه|مني موافق|مني موافقه',
  'منو موافق|مانو موافق|لا اوكد|ما اوكد|مش باكد|مش هوافق|مو راضي|مو راضيه|مش راضي|مب راضي|مب راضيه',
  'مهب راضي|غير راضي|i refuse|refuse|refused|i decline|decline|declined|i reject|reject|rejected',
  'i disagree|disagree|not interested|im not interested|i am not interested|id rather not',
  'i would rather not|better not|prefer not|i prefer not|prefer not to|i changed my mind',
  'changed my mind|i have changed my mind|ive changed my mind|change of mind|never mind|nevermind',
  'nvm|forget it|forget about it|forget that|leave it|leave it as it is|leave it as is|skip it',
  'scrap that|scratch that|drop it|call it off|stop|stop it|stop that|please stop|i dont think so',
  'i do not think so|dont think so|not really|not now|not right now|not today|not this time',
  'thats not ok|not ok with that|do not|dont|not a chance|i said no|out of the question',
  'it is not ok|im against it|i do not agree|i dont agree|dont agree|do not agree|dont accept',
  'do not accept|dont approve|dont confirm|do not confirm|ارفض|رافض|رافضه|رفضت|مرفوض|نرفض|ارفض ذلك',
  'غيرت رايي|غيرت راي|بدلت رايي|غيرنا راينا|هونت|هونا|بطلت|بطلنا|تراجعت|عدلت عن|ما يحتاج|مايحتاج',
  'ما نحتاج|مو لازم|مب لازم|مش لازم|ما لازم|مو ضروري|مش ضروري|مب ضروري|ما في داعي|مافي داعي',
  'مافيه داعي|مفيش داعي|ماله داعي|ما له داعي|مالوش لازمه|لا داعي|لا داعي لذلك|ما في لزوم|مالو داعي',
  'ما لو داعي|لا يلزم|مو الحين|مب الحين|مش الحين|مش دلوقتي|مش دلوقت|مش هلق|مش هلا|مو هلق|ليس الان',
  'مو اليوم|مش النهارده|سيبها|سيبه|سيبك|سيبك منها|سيبك منه|اتركها|اتركه|اتركوها|اتركوه|تركها',
  'اترك الموضوع|انسى|انسى الموضوع|انساها|انساه|انسوا الموضوع|كبر دماغك|وقف|وقفوا|وقفو|توقف|اوقف|قف',
  'بلاها|بلاه|خلص بلاها|ولا شي|ولا حاجه|لا شيء|ما بدها|مو موافق|مب موافق|مش موافق|غير موافق',
  'غير موافقه|مو موافقه|مش موافقه|مب موافقه|ما موافق|لا اوافق|لا نوافق|ما اوافق|ما نوافق|لن اوافق',
  'لست موافقا|لست موافق|لست موافقه|ما اقبل|لا اقبل|ما يناسبني|لا يناسبني|ما تناسبني|مش مناسب',
  'مو مناسب|مش هينفع|ما بينفع|mo lazem|mish lazem|msh lazem|ma ye7taj|ma y7taj|mayehtaj|ma fi da3i',
  'mafi da3i|mish dilwa2ti|msh dlw2ty|mish hala2|mo al7een|sebha|sibha|seebak|ايقاف|افضل لا',
  'افضل عدم ذلك|لا اعتقد ذلك|لا افضل ذلك|مو عاجبني|مش عاجبني|ما عجبني|do nothing|مو محتاج|مب محتاج',
  'مش محتاج|ما ينفع|ماينفع|مينفعش|ما ينفعش|ماينفعش|لا ينفع|mo lazim|mu lazim|mish lazim|msh lazim',
  'مو لازم شكرا',
]

/** "Do not", in one word. */
const DO_NOT = [...DO_NOT_FORMS, 'mat3melsh|mate3melsh|matghayarsh|mat3melhash']

/** "Do not cancel", in one word. */
const CANCEL_NOT = [
  ...DO_NOT_CANCEL_FORMS,
  'matelghish|matelghihosh|matkanselsh|i dont want it cancelled|i dont want it canceled',
  'i do not want it cancelled|i dont want my order cancelled|بلاش الغاء|بلاش الغي|بلاش كنسله',
]

/** Phrases that leave things as they are, which refuses the proposal. */
const LEAVE = [
  ...LEFT_AS_IT_IS,
  'i want to keep it|i will keep it|ill keep it|ill keep the order|i want to keep the order',
  'i want to keep my order|cancel the cancellation|cancel cancellation|undo the cancellation',
  'احتفظ بالطلب|khaleeha|khaliha|khalih|khaleeh|5aleeha|5aliha|5alih',
]

/** Negations. Before a word of agreement they refuse; before anything else they are unclear. */
const NOT = [
  'dont you dare|do not you dare|ما رح|مارح|ما راح|ماراح|مراح|ما هرضى|مهب|مهوب|not|dont|do not',
  'does not|doesnt|isnt|is not|im not|i am not|its not|it is not|thats not',
  'that is not|i do not|i dont|never|cant|cannot|wont|please do not|pls do not|ما|مو|مب|موب',
  'مش|مهو|ماهو|ما هو|مو ب|ليس|ليست|لست|لن|لم|غير|ماني|منيب|مانيب|مني|منو|مانو|ماهي|ما هي|mish',
  'mesh|msh|mush|mosh|mo|mu|mob|mub|ma|mano|manno',
]

/** Wishes; after a NOT, a refusal of the proposal, except of a cancellation. */
const WANT = [
  'بدياه|بدياها|عايز كده|عاوز كده|عايزه كده|عاوزه كده|ابي كذا|بدي هيك|اريد هذا|نريد ذلك',
  'i still want to|still want to|we want|we want to|we would like|we would like to|we need to',
  'i really want to|اريد ان|ابي ان|ارغب في|ارغب ب|ارغب ان|ابيه|ابيها|ابغاه|ابغاها|نبيه|نبغاه',
  'بدي ياه|بدي ياها|اريده|اريدها|محتاجه|احتاجه|احتاجها|i want it|i need it|i still want it',
  'i still need it|still want it|want|want to|want that|want this|i want|i want to|i want that',
  'i want this|i would like|i would like to|i would like that|id like|id like to|id like that|need',
  'need to|need that|i need|i need to|wish|wish to|i do|i would|ابي|ابغي|ابغا|ابغه|ابى|نبي|نبغي',
  'نبغا|ودي|ودنا|بدي|بدنا|عايز|عايزه|عاوز|عاوزه|عايزين|عاوزين|اريد|نريد|ارغب|نرغب|اود|حاب|حابه|حابب',
  'اريد ذلك|ارغب بذلك|ارغب في ذلك|abi|abgha|abgy|abghy|aba|badi|baddi|bede|beddi|3ayez|3ayz|3awez',
  '3awz|3ayza|3awza|3ayzeen|wedi|widdi|badde|bade|bde|bdee|bdi|bdy|baddy|abii|bidi|biddi',
]

/** Refusals by not wishing for it. After a proposal to cancel, an unnamed object may be the goods. */
const NO_WANT = [
  'no i dont want|no i dont want to|no i do not want|no i do not want to|لا ارغب في|لا ارغب ب',
  'لا ارغب ان|لا اريد ان|مابي|ما بي|ماابي|مبي|مابغي|مابغا|مبغي|مابدي|ما بديش|مابديش|بديش|مبديش',
  'ماودي|مودي|مابا|ماب|ماريد|مااريد|مانبي|مانبغي|مابدنا|ماني عايز|لا اريد|لا نريد|لا ارغب|لا نرغب',
  'لا اود|لا اريد ذلك|لا احتاج|ما احتاج|مااحتاج|ما عدت ابي|mabi|mabgha|mabghy|mabe|mabadi|mabaddi',
  'mabeddi|ma baddi|ma badi|mawedi|no need|not needed|i have no need|no need to|no need for that',
  'i do not need|dont need|dont need to|i dont need to|mabadde|mabdi|ma bdi|mabdy|ma badde',
  'ما عاد ابي|ما عاد ابغى|ما ابا|ما عاد بدي|ما عدت ابغى|ما عاد اريد|لم اعد اريد',
]

/** Refusals like NO_WANT about an object, which is `it`. */
const NO_WANT_IT = [
  'no i dont want it|no i do not want it|i dont want it|i do not want it|dont want it',
  'do not want it|i dont want it anymore|dont want it anymore|dont need it|i dont need it',
  'i dont need it anymore|no need for it|no need for it anymore|no longer need it|no longer want it',
  'مابيه|مابيها|ما ابيه|ما ابيها|ماابيه|مابغاه|مابغاها|ما ابغاه|ما ابغاها|ما بدي ياه|ما بدي ياها',
  'مابدي ياه|مش عايزه|مش عايزها|مش عاوزه|مش عاوزها|مو عايزه|لا اريده|لا اريدها|لم اعد اريده',
  'لم اعد اريدها|ما عاد ابيه|ما عاد ابيها|ما عدت اريده|ما عدت ابيه|ما عاد بدي ياه|مو محتاجه',
  'مش محتاجه|ما احتاجه|ما احتاجها|mabeeh|mabih|mish 3ayzo|msh 3ayzo|ma badi yah|ما اباه|ما اباها',
  'ما عاد ابغاه',
]

/** Verbs that mean something only after a NOT or `لا`. */
const DOING = [
  'do|do it|do that|do this|do anything|change|change it|change that|change anything',
  'change the address|change my address|proceed|continue|confirm|go ahead|go on|update',
  'update it|book|book it|touch it|touch anything|bother|make it|make that|send it|accept',
  'agree|approve|تفعل|تفعلوا|تفعل ذلك|تقم بذلك|تغير العنوان|تحجزلي|tsawi',
  'tsawoon|te3mel|ta3mel|te3mal|tghayer|tghayyer|tkamel|mat3melhash',
  ...DOING_FORMS,
]

/** The word for cancelling, without its object. */
const CANCEL = [
  'الالغاء|cancellation|cancel|cancelled|canceled|cancel everything|cansel|cancle|الغ|الغي',
  'الغو|الغوا|الغاء|الغي كل شي|كنسل|كنسلو|كنسلوا|كنسلي|كنسله كلها|الكنسله|اكنسل|نكنسل|نلغي|ابطل|elghi|el8i',
  'ilghi|kansel|kansil|الغي الموضوع|الغ الموضوع|الغوا الموضوع',
]

/** Cancelling that names its object. */
const CANCEL_IT = [
  ...CANCEL_FORMS.named,
  'cancel it now|cancel it right now|cancel now|cancel it please|go ahead and cancel',
  'go ahead and cancel it|go ahead cancel it|cancel it for me|cancel it all|cancel it|cancel that',
  'cancel this|cancel my order|cancel the order|cancel this order|cancel that order|cancel order',
  'cancel my appointment|cancel the appointment|cancel this appointment|cancel my booking',
  'cancel the booking|cancel my reservation|cancel the reservation|الغه|الغها|الغيه|الغيها|الغوه',
  'الغوها|الغيهولي|الغيهالي|الغوهالي|الغ الطلب|الغي الطلب|الغوا الطلب|الغو الطلب|الغي طلبي|الغ طلبي',
  'الغوا طلبي|الغي الاوردر|الغ الاوردر|الغي الحجز|الغ الحجز|الغي حجزي|الغ حجزي|الغي الموعد',
  'الغ الموعد|الغي موعدي|الغ موعدي|الغوا الموعد|الغي الطلبيه|الغي هالطلب|الغي هذا الطلب|كنسله',
  'كنسلها|كنسلوه|كنسلوها|كنسليه|كنسليها|كنسل الطلب|كنسل الاوردر|كنسل الموعد|كنسل الحجز|كنسل طلبي',
  'كنسلوا الطلب|كنسلو الطلب|كنسلي الطلب|كنسلي الاوردر|كنسل الطلبيه|elghih|elghiha|elgheeh|el8eeh',
  'elghi el order|elghi el talab|elghi al talab|elghi al order|kanselo|kanselha|kansel el order',
  'kansel el talab|kansel al talab',
]

/** Cancelling as it is said behind a NOT or a `لا`. */
const CANCELLING = [
  ...CANCEL_FORMS.denied,
  'cancel|cancel it|cancel that|cancel this|cancel my order|cancel the order|cancel order',
  'cancel my appointment|cancel the appointment|cancel my booking|cancel the booking',
  'cancel anything|telghi|telghih|tel8i|tilghi|telgheeh|tkansel|tkanselo|tkanslo|matkanselsh',
]

/** Kindness, oaths and fillers, which say neither. */
const KIND = [
  'ما عليه|ماعليه|لو سمحتم|اذا سمحتم|الله يعافيكم|الله يحفظكم|الله يكرمكم|الله يسلمكم|الله يعزكم',
  'الله يجزيك خير|الله يجزيكم خير|thank u|thank|شكرا جزيلا لك|شكرا جزيلا لكم|اشكرك|اشكركم|شاكر لك',
  'شاكرين|ولا يهمك|ولا يهمكم|وشكرا|وشكرا جزيلا|وشكرا لك|ومشكور|ومشكوره|ومشكورين|وتسلم',
  'ويعطيك العافيه|والله يعطيك العافيه|وجزاك الله خير|وكثر الله خيرك|ولو سمحت|please|pls|plz|plss',
  'plez|thanks|thank you|thank you so much|thank you very much|thanks a lot|many thanks|thx|thnx',
  'tnx|ty|tysm|cheers|much appreciated|appreciated|appreciate it|i appreciate it|kindly|sorry|then',
  'شكرا|شكرا لك|شكرا لكم|شكرا جزيلا|شكرا كتير|شكرا كثير|الف شكر|جزيلا|جزيل الشكر|مشكور|مشكوره',
  'مشكورين|مشكور ما تقصر|ما تقصر|ماتقصر|ما تقصرون|ما قصرت|متشكر|متشكره|متشكرين|ممنون|ممنونك|ممنونه',
  'تسلم|تسلمي|تسلمون|تسلموا|تسلمو|تسلم ايدك|تسلم ايديك|يسلمو|يسلموا|يسلم ايديك|ميرسي|ثانكس|ثانك يو',
  'بليز|سوري|من فضلك|من فضلكم|لو سمحت|لو سمحتي|لو سمحتو|لو سمحتوا|لوسمحت|اذا سمحت|اذا ممكن لو سمحت',
  'رجاء|رجاءا|ارجوك|ارجوكم|تكفى|تكفي|تكفون|تكفين|طلبتك|بعد اذنك|بعد اذنكم|معلش|معليش|معلشي|عفوا|اسف',
  'اسفه|فضلا|فضلا لا امرا|لا هنت|لا هنتي|لا هنتوا|لاهنت|لا عدمتك|لا عدمناك|لا خلا ولا عدم|لا خليت',
  'لا امر عليك|ما عليك امر|ما عليكم امر|ماعليك امر|عساك على القوه|يعطيك العافيه|الله يعطيك العافيه',
  'يعطيكم العافيه|الله يعطيكم العافيه|يعطيك الف عافيه|الله يعافيك|الله يسعدك|الله يسعدكم',
  'الله يسعد ايامك|الله يخليك|الله يخليكم|الله يخليلي ياك|الله يحفظك|الله يوفقك|الله يوفقكم',
  'الله يبارك فيك|الله يبارك فيكم|الله يبارك لك|الله يجزاك خير|الله يجزاكم خير|جزاك الله خير',
  'جزاك الله خيرا|جزاكم الله خير|جزاكم الله خيرا|الله يكرمك|الله يسلمك|الله يرضى عليك',
  'الله يرضي عليك|الله يعزك|الله يبيض وجهك|ربنا يخليك|ربنا يكرمك|ربنا يباركلك|ربي يسعدك',
  'كثر الله خيرك|كتر خيرك|كتر الف خيرك|بارك الله فيك|بارك الله فيكم|يرحم والديك|يرحم والدينك',
  'الله يرحم والديك|بيض الله وجهك|والله|بالله|والله العظيم|وربي|خالص|كتير|كثير|جدا|مره|حضرتك|wallah',
  'walla|wallahi|billah|shukran|shokran|choukran|shukrn|mashkoor|mashkour|mashkur|tslm|tislam',
  'yislamo|yslmo|merci|mersi|law sama7t|law samaht|lw sm7t|lo sama7t|min fadlak|men fadlak',
  'allah ykhalik|allah yes3dak|allah yis3dak|ya3tik el 3afye|ya3tik al 3afya|y3tik al3afya|tekfa',
  'tkfa|tekfoon|🌹|🌷|🌸|💐|🌺|🌼|🌻|❤|♥|💙|💚|💛|🧡|💜|🖤|🤍|💖|💕|💗|🫶|😘|😌|💞|🩷|🩵|and thanks|and thank you|asap',
  'right away|straight away|على خير|لو تكرمت|لو تكرمتي|لو تكرمتوا|ان امكن|دخيلك|مشان الله|عشان الله',
  'صراحه|بصراحه|honestly',
]

/** Greetings. Before a yes they take nothing back; behind one they answer a call. */
const GREETING = [
  'hi|hello|hey|hi there|hello there|good morning|good evening|good afternoon|salam|salam alaikum',
  'assalamu alaikum|alsalam alaikum|mar7aba|marhaba|السلام عليكم|السلام عليكم ورحمه الله',
  'السلام عليكم ورحمه الله وبركاته|سلام عليكم|وعليكم السلام|مرحبا|مرحبتين|هلا|هلا والله|اهلا|اهلين',
  'اهلا وسهلا|هاي|صباح الخير|صباح النور|مساء الخير|مساء النور',
]

/** "Settled" before a yes, "enough of it" behind one; next to a no it adds nothing. */
const ENOUGH = ['خلاص|خلص|khalas|5alas|khallas']

/** Forms of address, wishes and signs of friendliness: neither yes nor no, and no plea. */
const CALL = [
  'سيدي|سيدتي|انسه|now|right now|immediately|الحين|الان|دلوقتي|هلق|حالا|فورا|on my side',
  'from my side|from our side|from me|on my end|😊|🙂|😀|😃|😄|😁|🙏|🎉|😍|🥰|😇|🤗|☺|✨|ان شاء الله|انشاء الله',
  'انشالله|inshallah|in sha allah|inshalla|nshallah|sir|madam|maam|mam|bro|brother|sis|sister|dear',
  'my dear|man|mate|buddy|friend|my friend|boss|team|guys|dude|folks|habibi|7abibi|habibti|7abibti',
  'ya habibi|ya 7abibi|ya 3omri|ya basha|ya rayes|ya m3alem|ya zalame|ya 3am|ya man|ya bro|5ouy',
  'khoy|ya khoy|akhoy|akhi|ya akhi|o5ty|okhti|خوي|اخوي|اخي|خيي|اختي|خيتي|اخت|الاخت|حبيبي|حبيبتي',
  'حبيب|قلبي|حبيب قلبي|غالي|الغالي|الغاليه|طويل العمر|عمري|حياتي|استاذ|استاذه|استاذي|فندم|افندم|بيه',
  'باشا|ريس|معلم|كبير|كابتن|دكتور|دكتوره|شيخ|يا شيخ|يا جماعه|يا شباب|عزيزي|عزيزتي|صديقي|اخوان',
  'يا خوي|يا اخوي|يا اخي|يا خيي|ياخوي|يااخي|ياخي|يا اختي|يا خيتي|يا اخت|يا حبيبي|يا حبيبتي|ياحبيبي',
  'يا قلبي|ياقلبي|يا غالي|ياغالي|يا غاليه|يا الغالي|يا طيب|يا طيبه|يا طيبين|يا باشا|ياباشا|يا ريس',
  'ياريس|يا معلم|يامعلم|يا معلمي|يا عم|ياعم|يا عمي|ياعمي|يا عمو|يا عسل|يا زلمه|يازلمه|يا رجل',
  'يا راجل|يا استاذ|يا استاذه|يا فندم|يافندم|يا افندم|يا بيه|يا كبير|يا برنس|يا نجم|يا صديقي',
  'يا صاحبي|يا صحبي|يا ابني|يا بني|يا بنتي|يا روحي|يا عيني|يا عمري|يا وحش|ياوحش|يا دكتور|يا دكتوره',
  'يا هندسه|يا باشمهندس|يا بشمهندس|يا مدير|يا كابتن|يا ولد|يا بنات|يا بنت|يا سيدي|يا سيدتي|يا مدام',
  'يا انسه|يا ست|يا ستي|يا خال|يا خاله|يا خالتي|يا حلو|يا حلوين|يا جميل|يا قمر|يا طويل العمر',
  'يا بعدي|يا بعد قلبي|يا بعد عمري|يا اخواني|يا حج|يا حاج|يا عزيزي|يا عزيزتي',
]

/** Words that may follow a refusal without changing it. */
const TRAIL = [
  'it|this|that|to|to do|to do it|to do that|to do this|anything|anymore|any more|at all|today',
  'later|just|for now|me|i|we|mind|that one|this one|change|my address|the address|شي|شيء|اي شي',
  'اي شيء|حاجه|اي حاجه|هيك|كذا|كده|كدا|ذلك|هذا|هذا الشي|ده|دا|دي|هاي|هاد|هادا|هالشي|اليوم|ان|اني',
  'علي|عليه|عليها|بعدين|لاحقا|اغير|اغيره|اغيرها|اغير العنوان|تغيير|العنوان|عنواني|اغير شي|haik|heik',
  'shi|shay|7aga|haga|kda|keda|كفايه|كفايه كده|غلط|هذا غلط|العنوان غلط|wrong|not right',
  'not like that|its not right|thats not right|this is wrong|it is wrong|its wrong|thats wrong',
  'that is wrong|wrong address|wrong one',
]

/** Words that take back or postpone what was said before. */
const HOLD = [
  'wait|hold on|hang on|one sec|one moment|one minute|a moment|just a moment|not yet|not sure',
  'im not sure|i am not sure|but|however|maybe|perhaps|let me think|let me check|let me see|idk',
  'i dont know|dont know|dunno|yeah right|ya right|yea right|please confirm|pls confirm|plz confirm',
  'thats not a yes|if|unless|or|yes or no|in case|no wait|no idea|no clue|no one|no doubt|no reply',
  'no answer|no response|no matter|not bad|not only|not just|not a yes|that is not a yes|لحظه|دقيقه',
  'ثواني|ثانيه|اصبر|استنى|استني|انتظر|انتظري|بس|لكن|ولكن|بشرط|اذا|لو|او|ولا|ليس بعد|لسه|لسا|مش بعد',
  'ما ادري|مدري|ماادري|لا ادري|لا اعرف|لا اعلم|ما اعرف|مش عارف|مش عارفه|ما بعرف|مابعرف|معرفش',
  'ما اعلم|ممكن|يمكن|ربما|مو متاكد|مش متاكد|مو متاكده|مش متاكده|لست متاكدا|غير متاكد|لا تتاخر',
  'لا تتاخرون|لا تنسى|لا تنسون|لا تشيل هم|لا عليك|لا تخاف|لا تزعل|لا اله الا الله|مش مهم|مو مهم',
  'لا يهم|ما يهم|مايهم|bas|bess|lakin|istanna|estanna|la7za|lahza|da2i2a|madri|mabaref|ma ba3ref',
  'mish 3aref|msh 3aref|mish mohem|ya salam|يا سلام|ياسلام|i guess|i guess so|i think so|ya3ni|يعني',
]

/** Reports of what was said before; with a yes they may be about another matter. */
const SAID = [
  'i said|i already said|i told you|as i said|قلت|قلت لك|قلت لكم|قلتلك|قلتلكم|قلنا|قلنا لك',
  '2oltelak|gelt lak|gltlk',
]

/** Phrases by their role in an answer to a proposal. Each line holds phrases separated by `|`. */
export const AGREEMENT_PHRASES = {
  yes: YES,
  act: ACT,
  soft: SOFT,
  half: HALF,
  no: NO,
  refusal: REFUSAL,
  doNot: DO_NOT,
  cancelNot: CANCEL_NOT,
  leave: LEAVE,
  not: NOT,
  want: WANT,
  noWant: NO_WANT,
  noWantIt: NO_WANT_IT,
  cancel: CANCEL,
  cancelIt: CANCEL_IT,
  kind: KIND,
  enough: ENOUGH,
  call: CALL,
  greeting: GREETING,
  trail: TRAIL,
  hold: HOLD,
  said: SAID,
} as const

/** Phrases with a role only after a negation. */
export const DENIED_PHRASES = { doing: DOING, cancelling: CANCELLING } as const
