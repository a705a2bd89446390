/** Folded words for the search of knowledge: words of questions, and groups of synonyms. */

/** Words that occur in most questions, by which knowledge is not searched. Spec: Assistant › Knowledge. */
export const ASKING_WORDS: ReadonlySet<string> = new Set(
  `
  a an the and or but of in on at to for with from by as is are was were be been am do does did can could will would
  should shall may might must have has had having i me my we us our you your it its he she they them their this that
  these those there here what which who whom when where why how if then than so just only also any some all no not yes
  please thanks thank hi hello hey um like want wanted wanna know need get got give tell ask asking question let about
  much many long week today tonight tomorrow don didn doesn isn aren won im ive u ur r pls plz ok okay one got still
  go going come make makes made take takes use used see show time available possible guys sir last
  في من الي علي عن مع او ام ثم هل ما ماذا لماذا لا لم لن ان كان كانت كنت يكون تكون هو هي هم انا انت انتم انتي نحن هذا
  هذه هذي ذلك تلك هنا هناك كل بعض اي ايش وش شو ايه ليش ليه كيف كيفكم كيفكن شلون ازاي كم بكم بكام كام قديش اديش بقديش
  قد متي امتي امتا ايمتي ايمته وين فين اين منين لو اذا انو انه اني اللي الذي التي يا بس فقط جدا كمان برضه طيب تمام
  اوكي نعم ايوه اه مش مو مب موب غير عند عندي عندك عندكم عندكن عندكو عندنا لدي لديكم معي معك معو معه لكم لك لي لنا فيه
  فيها فيهم منه منها عليه عليها عليكم به بها له لها ابي ابغي ابغا ابا اريد بدي بدنا عايز عايزه عاوز عاوزه نفسي ودي
  محتاج محتاجه ممكن اقدر نقدر تقدر تقدرون يمكن لازم يلزم اسال سوال استفسار بسال اعرف عرف تعرف قولي قول خبرني خبروني
  فضلك سمحت سمحتي سمحتو سمحتوا السلام عليكم مرحبا هلا اهلا مساء صباح الخير والله يعطيك يعطيكم يعطيكن العافيه الو
  شكرا مشكور لحد حتي الان هلا هلق هلأ الحين دلوقتي انهارده النهارده اليوم امس بكره ده دي دا دول هاد هاي هيك كده كذا
  ولا يعني عشان علشان لان لاني بسبب بعد قبل حق حقه حقي تبع عندهم يوجد توجد موجود موجوده متوفر متوفره توفر حضرتك
  استاذ اخي اختي ياخي طب اصل لسه لسا شي شيء حاجه حاجات ياخذ ياخد تاخذ تاخد بتاخد اعمل تعمل بعمل ال عال هل مره
  el al fe fi fee 3nd 3ndkm ana enta enty bkm bkam kam kom wein wen feen shu sho leh ya law lw mn 3la
  `
    .split(/\s+/)
    .filter(Boolean),
)

/** Question words with the content words that they ask for. */
export const ASKED_FOR: readonly { words: readonly string[]; means: readonly string[] }[] = [
  {
    words: ['وين', 'فين', 'اين', 'where', 'wein', 'wen', 'feen'],
    means: ['عنوان', 'موقع', 'شارع', 'address', 'location', 'street'],
  },
  {
    words: ['متي', 'امتي', 'امتا', 'ايمتي', 'ايمته', 'when', 'time'],
    means: ['مواعيد', 'اوقات', 'دوام', 'ساعه', 'hours', 'يوم'],
  },
  {
    words: ['بكم', 'بكام', 'قديش', 'بقديش', 'اديش', 'much', 'bkm', 'bkam'],
    means: ['سعر', 'اسعار', 'رسوم', 'price', 'cost'],
  },
]

/** Synonyms of shops' words, across languages too. A company's own synonyms come before. */
export const SAME_MEANING: readonly (readonly string[])[] = [
  ['توصيل', 'شحن', 'دليفري', 'delivery', 'shipping', 'deliver', 'ship', 'نوصل'],
  ['سعر', 'ثمن', 'تكلفه', 'رسوم', 'price', 'cost', 'fee', 'charge'],
  ['عنوان', 'موقع', 'لوكيشن', 'مكان', 'address', 'location', 'branch', 'فرع'],
  ['مواعيد', 'دوام', 'اوقات', 'ساعات', 'hours', 'open', 'مفتوح', 'نفتح', 'منفتح'],
  ['استرجاع', 'ارجاع', 'ارجع', 'رجع', 'استرداد', 'return', 'refund'],
  ['استبدال', 'تبديل', 'ابدل', 'تغيير', 'exchange', 'replace'],
  ['الغاء', 'الغي', 'cancel', 'cancellation'],
  ['تقسيط', 'قسط', 'اقساط', 'instalment', 'installment', 'instalments', 'installments'],
  ['دفع', 'سداد', 'payment', 'pay', 'فلوس', 'مصاري'],
  ['مبلغ', 'فلوس', 'مصاري', 'money'],
  ['خصم', 'تخفيض', 'تخفيضات', 'عرض', 'عروض', 'discount', 'offer', 'sale'],
  ['طلاب', 'طالب', 'طالبات', 'طلبه', 'student', 'students'],
  ['مقاس', 'قياس', 'size', 'sizes'],
  ['موعد', 'ميعاد', 'appointment', 'booking'],
  ['حجز', 'احجز', 'reserve', 'reservation', 'booking', 'book'],
  ['ضمان', 'كفاله', 'warranty', 'guarantee'],
  ['هاتف', 'جوال', 'موبايل', 'تلفون', 'phone', 'mobile'],
  ['ماء', 'مويه', 'ميه', 'ماي', 'water'],
  ['سياره', 'سيارات', 'موقف', 'مواقف', 'parking', 'car'],
  ['هديه', 'هدايا', 'gift'],
  ['اطفال', 'طفل', 'اولاد', 'children', 'kids', 'child'],
  ['نساء', 'سيدات', 'حريم', 'ladies', 'women', 'woman'],
  ['رجال', 'شباب', 'men'],
  ['حامل', 'حوامل', 'حمل', 'pregnant', 'maternity', 'pregnancy'],
  ['عروس', 'عرايس', 'عروسه', 'زفاف', 'bride', 'bridal', 'wedding'],
  ['غسيل', 'غسل', 'wash', 'washing'],
  ['تقصير', 'تقصرون', 'قصر', 'shorten', 'alteration', 'alterations'],
  ['كم', 'اكمام', 'sleeve', 'sleeves'],
  ['جمعه', 'friday'],
  ['سبت', 'saturday'],
  ['فاتوره', 'invoice', 'bill', 'receipt'],
  ['ضريبه', 'tax', 'vat'],
  ['خدمه', 'service'],
  ['بطاقه', 'كرت', 'card'],
  ['فيزا', 'visa'],
  ['تابي', 'tabby'],
  ['تمارا', 'tamara'],
  ['واتساب', 'whatsapp'],
  ['ايفون', 'iphone'],
  ['وزن', 'weight'],
  ['لون', 'الوان', 'color', 'colour', 'colors', 'colours'],
  ['غلط', 'خاطئ', 'خطا', 'wrong'],
  ['ناقص', 'ناقصه', 'missing'],
  ['كسر', 'مكسور', 'broken'],
  ['عيب', 'defect', 'faulty'],
  ['تتبع', 'track', 'tracking'],
  ['طلب', 'اوردر', 'order'],
  ['وجع', 'الم', 'pain'],
  ['دكتور', 'دكتوره', 'طبيب', 'طبيبه', 'doctor', 'dr', 'د'],
  ['سن', 'سنه', 'اسنان', 'سنان', 'ضرس', 'tooth', 'teeth', 'dental'],
  ['تنظيف', 'انضف', 'نضف', 'cleaning'],
  ['يوغا', 'yoga'],
  ['مساج', 'تدليك', 'massage'],
  ['اشتراك', 'عضويه', 'membership', 'subscription'],
  ['شهري', 'monthly'],
  ['سنوي', 'yearly', 'annual'],
  ['شكوي', 'شكاوي', 'complaint', 'complaints'],
  ['وظيفه', 'وظائف', 'شغل', 'jobs', 'job', 'vacancy'],
  ['طاوله', 'تربيزه', 'table'],
  ['قائمه', 'منيو', 'menu'],
  ['نباتي', 'vegetarian', 'vegan'],
  ['اكل', 'وجبه', 'طعام', 'food', 'meal'],
  ['حلال', 'halal'],
  ['حساسيه', 'allergy'],
  ['انترنت', 'واي', 'wifi'],
]
