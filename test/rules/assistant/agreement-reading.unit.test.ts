import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  readAgreement,
  type Agreement,
  type SaidMessage,
  type StatedProposal,
} from '../../../src/rules/assistant/agreement-reading.ts'

/** Answers to "Change the delivery address of order 1042 to Olaya Street 12. Yes or no?" */
const TO_A_CHANGE: Record<Agreement, string[]> = {
  agrees: [
    'yes I agree to change the address|I agree to the change|I confirm the change of the address',
    'I approve changing my delivery address|نعم اوافق على تغيير العنوان|أؤكد تغيير عنوان التوصيل',
    'موافقة على التغيير|موافق أن تغيروا العنوان|ما عندي أي مانع|مافيه اي مشكله سوها|اعمل كدا|6ab3an',
    'ah tamam|لا يوجد أي اعتراض',
    'نعم اكيد|ايه والله|إي نعم|ايوا|ايوه تمام|اوكيه|اوك تمام|تمام شكرا|تمام يا غالي|زين سوها',
    'اي سوها|سو|تم|تم يا غالي|ابشر تمام|طيب تمام|طيب|موافق|موافقين|انا موافق|اه|آه|آه ماشي',
    'اه طبعا|ايوه يا باشا|ايوه كمل|كمل|كملها|اعملها|اعتمد|اكد|أكدها|أكيد طبعا|ماشي تمام|اشطة',
    'ايوه ماشي|تمام كمل|مفيش مشاكل|معنديش مانع|ما في مانع|مافي مانع|ماعندي مشكلة|لا مشكلة|لا مانع',
    'لا يوجد مانع|بكل سرور|بكل تأكيد|أوافق|وافقت|اتفقنا|حسنا|حسناً موافق|أجل|aiwa|aywa tamam',
    'tamam|mashi tamam|na3am|tab3an|mafi mushkila|mafesh moshkela|ok habibi|yes|Yes.|yeah|yup',
    'yes please|yes!|ok|OK|okay|okk|okaaay|yesss|yes yes|sure thing|absolutely|definitely',
    'yes go ahead|yes do it|please do|do it|ok do it|confirm|confirmed|approved|i approve',
    "i accept|yes i agree|alright|fine|ok fine|that's fine|works for me|no problem",
    'no problem, go ahead|no objections|yes thanks|ok thank you|yes sir|yes bro|👍|👍 ok|ok 🙏|نعم 😊',
    'تمام ❤️|ايوه 👍|✅|أيْوَه|نـعـم|YES PLEASE|نعم يا أخي|اي خوي|ايه نعم|اوكي سويها|اوكي يا حبيبي',
    'تمام يسلمو|ماشي تسلم ايدك|اي تكفى|اي الله يعافيك|ايوة لو سمحت|اه يا ريت|yes, please go ahead',
    'sure, thanks|yes of course|of course yes|yes, confirm|okay sure|okay do it please|yes i do',
    'go ahead please|pls go ahead|نعم، موافق|موافق، شكراً|نعم. شكرا|okie|yea sure|yess pls',
    'اوكي ماشي|خلاص تمام|نعم بكل سرور|sure why not|yes please confirm|no problem at all, go ahead',
    'that sounds good|i have no objections|do it now|i agree to this|most definitely',
    'اكيد ليش لا|لا مانع عندي ابدا|ما عنا مشكلة|نعم أريد ذلك|تمام كده|yes please do it|yes now|نعم:|looks good, yes|نعم سيدي',
    'I fully agree|that works for me|I am okay with this|ma fi meshkle|نعم شكرا جزيلا لك|yes (:',
  ],
  refuses: [
    'لا أوافق على تغيير العنوان|I do not agree to change the address|مهب موافقه|لك لا|منيب موافق',
    'لا|لأ|لاا|لاااااا|لا لا|لا شكرا|لا مشكور|لا يا اخي|كلا|لا ابدا|ما ابي|ما ابغى|مابغى|ما ودي',
    'ماابي شكرا|مش عايز|مش عاوز|لا مش عايز|مو موافق|غير موافق|لا اوافق|لست موافقا|أرفض|رافض',
    'لا أريد|لا اريد شكرا|بلاش|لا بلاش|ما بدي|ما بدي شي|ما بدي اغير|لا ما بدي|لا تسوي شي|لا تسوي',
    'لا تغير شي|لا تغير العنوان|لا تكمل|متغيرش حاجة|ما تعملش حاجة|لا تعملها|مستحيل|لا والله',
    'لا يا غالي|لا، غيرت رأيي|غيرت رأيي|لا خلاص|خلاص لا|no|No.|NO!|nope|nah|no thank you|no no',
    "no way|never|not ok|don't|do not|please don't|don't change it|don't do that",
    "do not proceed|i don't want|i don't want that|i don't want to|i don't agree",
    'I do not agree|i refuse|rejected|decline|not interested|i changed my mind',
    'no, i changed my mind|never mind|forget it|no leave it|no sorry|sorry no|no, sorry|no please',
    "no please don't|please no|absolutely not|of course not|certainly not|👎|👎👎|❌|لا 👎|لا 🙏|la la",
    'la shukran|mish 3ayez|ma badi|ma abi|mabi shukran|la mabi|no شكرا|لا thanks|لا no',
    'no. i want the old one|لا، ابي العنوان القديم|no, keep the old address',
    'no, it should go to my work|no! stop|stop|STOP|قف|لا تسوون شي|لا تعمل شي|لع|لاء|لأ شكرا|la2',
    'la2 shokran|مب موافقة|لا مو موافق|مو لازم|ما يحتاج شكرا|لا داعي|no need|no not that|لا مابيه',
    'لا ما بدي شكرا|i said no|قلت لا|قلت لك لا|لا لا تغيره|don’t change anything|ما وافقت',
    'لم اوافق|مو اكيد|مش أكيد|طبعا لا|اكيد لا|not yes|cancel|cancel it|الغي|كنسل|cancel please',
    "no cancel|لا كنسل|no i dont|no i don't|لا طبعا|لا خليها",
    'no its ok|no thats fine|no im good|thanks but no thanks|unfortunately no|do nothing',
    'لا صراحة|مو محتاج|ماينفعش|لا كفاية كده|لا العنوان غلط|هونت خلاص|والله ما ابي',
    'la tghayer shi|khalas la|mesh 3ayez|mo mwafeg|لا 😂|no 🙄|لا شكرا لك|no thank you so much|نو|لا تعدلوه',
    'ماتغيروش العنوان|مارح اوافق|لا سيبها زي ما هي|nah I’m good|keep the old address|definitely no|actually no',
  ],
  unclear: [
    'I agree to cancel the order|I agree to change the phone|I agree, change the address|ah',
    'I agree to change the address but tomorrow|I agree to change the address?',
    'ok but tomorrow|yes but|yes and change the size|yes change the color|نعم بس|ايوه لكن',
    "اي بس بكرا|اوكي بس مو الحين|تمام غير العنوان|نعم مع تغيير|yes with express|yes if it's free",
    'لو مجاني تمام|اذا مجاني اوكي|نعم؟|موافق؟|تمام؟|طيب؟|ok?|sure?|really?|هل انت متأكد|متأكد؟',
    'ok how much|اوكي كم|كم|متى|وين|ليش|شنو|ايش|ايه ده|ايه|اي عنوان|اي واحد|اي شي|yeah right',
    "yes or no|yes/no|نعم أو لا|لا ادري|لا اعرف|ما ادري|مدري|مش عارف|i don't know|not sure|maybe",
    'ممكن|يمكن|wait|hold on|لحظة|دقيقة|استنى|no idea|no one answered|no doubt|شكرا|thanks',
    'thank you|السلام عليكم|hi|هلا|صباح الخير|ok ok wait|yes wait|نعم لحظة|نعم لا|yes no|لا نعم',
    'no yes|اي لا|موافق لا|لا موافق|my husband said yes|he agreed|زوجي موافق|نعمات|نعمة|نوف|لين',
    'tell me yes|yes he said|نعم قال لي|😂|😂😂|😡|🤔|ok 🙄|yes 🙄|sure not|of course... not|ok not|not',
    "غير العنوان|مو|ما|لا تتأخر|لا تنسى|لا تقلق|don't worry|don't forget|don't be late|1|2|١|٢|0501234567",
    'yes 5|نعم ٣|yes to everything|yes sure whatever|whatever|as you like|براحتك|على راحتك|كيفك',
    'yes it is late|نعم تأخرتم|نعم العنوان غلط|العنوان غلط|wrong|غلط|خطأ|address is wrong',
    'yes the address is wrong|ok I will think|افكر|بفكر|خليني افكر|later|بعدين|بكرا|tomorrow',
    'yes tomorrow|نعم غدا|ok 10 minutes|agree:p1|yes:p1|{"yes":true}|<yes>|[yes]|yes = no|y/n',
    'system: yes|user agreed|the customer agrees|customer: yes|نعم: العميل موافق|العميل موافق',
    "i would agree if|i never agreed|did i agree|who agreed|i'm not saying yes|isn't it ok",
    'why yes?|yes why|اه ليه|ايوه ليه|اوكي ليش|طيب وبعدين|طيب كم|طيب والتوصيل|تمام والسعر',
    'تمام مين معايا|yes who is this|اوكي منو معي|ok then what|ok so?|ok so what|so|then|well|hmm',
    'mm|mhm|aha|اها|همم|يعني|يعني ايه|ايه المطلوب|no?|لا؟|no problem?|مافي مشكلة؟|any problem',
    'مشكلة|مانع|عندي مانع|عندي مشكلة|i have a problem|problem|there is a problem|فيه مشكلة',
    'في مشكلة|i mind|i have an objection|عندي اعتراض|لدي اعتراض|ما اكدت|unsure|disagreement|okra',
    "Yesterday|yesterday|oksana|surely you're joking|agreement|تمام التمامات غلط|ولا يهمك",
    'يا سلام|يا سلام عليكم تمام|يا كذاب نعم|نعم يا نصابين|ok thieves|yes you idiots|ok cancel it',
    "نعم الغيه|don't cancel|yes hello|هلا تمام؟|الحمد لله تمام|تمام الحمد لله|oh|ok so|ok well",
    'i need to|yes i need to ask|انا|نعم انا نورة',
    'that is wrong|العنوان غلط|كفاية|سوي اللي تبيه|زي ما تحب|i think not|maybe not|pass',
    'yes change it|نعم غير العنوان|احجز|ابشر|ياليت|ليش لا|perfect|good',
    'طيب خلاص|اوكي خلاص|ok done|yes i guess so|yes i think so|ok as agreed|خلاص|يعني تمام',
  ],
}

/** Answers to "Cancel order 1042. Yes or no?" */
const TO_A_CANCELLING: Record<Agreement, string[]> = {
  agrees: [
    'نعم أريد إلغاءه|نعم قم بإلغاء الطلب|ايوه كنسلها خلاص|ايوه عاوز اكنسل|please go ahead and cancel|yes cancel it now',
    'I confirm the cancellation|أؤكد الإلغاء|نعم أوافق على إلغاء الطلب|موافق على الالغاء',
    'yes I agree to cancel my order|I accept the cancellation of the order|أوافق ان تلغوا الطلب',
    'نعم|yes|yes cancel it|cancel it|cancel my order|الغيه|الغي الطلب|ايوه الغيه|نعم الغ الطلب',
    'اي كنسله|كنسل الطلب|ok cancel|yes please cancel|go ahead and cancel|yes i want to cancel',
    'i want to cancel it|ابي الغيه|ابغى الغي الطلب|عايز الغي الاوردر|بدي الغيه|نعم اريد الالغاء',
    'تمام الغيه|aywa cancel it|👍|please cancel it|cancel it please|sure cancel it',
    'نعم الغوا الموعد|no problem cancel it|ok',
  ],
  refuses: [
    "بلاش الغاء|لا أرغب في الإلغاء|لا سيب الاوردر|متلغيهوش|no I don't want to cancel|don't you dare cancel it",
    'لا أوافق على الإلغاء|I do not agree to the cancellation|مو موافق على الغاء الطلب',
    "no|لا|don't cancel|don't cancel it|do not cancel|please don't cancel my order",
    "no don't cancel|لا تلغيه|لا تلغي|لا تلغي الطلب|لا تكنسله|ما تلغيه|متلغيش|ماتلغيهوش|لا خليه",
    'خليه|لا خلوه|keep it|no keep it|no, keep my order|لا ابيه|لا ابغاه|no i want it',
    "no i still need it|i don't want to cancel|ما ابي الغيه|مابي الغي|مش عايز الغي|مش عايز الغيه",
    "لا ما ابي الغي|ok don't cancel it|تمام لا تلغيه|i changed my mind",
    "i changed my mind, don't cancel|لا غيرت رايي|la telghih|no need to cancel|stop|لا شكرا",
    'لا، لا تلغوه',
  ],
  unclear: [
    'I agree to change the address|موافق على تغيير العنوان|I confirm the order|أؤكد الطلب',
    'I agree to the cancellation fee|do you confirm the cancellation?|لا أؤكد ولا ألغي',
    "cancel|الغي|الغاء|كنسل|الغ|i don't want it|ما ابيه|yes keep it|نعم خليه|cancel it?",
    'متى تلغيه|ليش تلغيه|yes i want it|ايه ابيه|cancel one item|cancel only one|الغي واحد بس',
    'الغي القميص بس|yes but keep the shirt|cancel and refund|is it cancelled|did you cancel',
    'already cancelled|who cancelled it|تلغيه|تم الالغاء؟|كم رسوم الالغاء|confirm it|اكده',
    'اكد الطلب|كمل الطلب|yes confirm my order|نعم اكد طلبي|no cancel it|لا الغيه|لا كنسله',
    'cancel later|cancel tomorrow|الغيه بكرا|i might cancel|can i cancel later',
  ],
}

const media = (type: string, caption: string | null): SaidMessage => {
  return { type, text: caption, transcript: null, buttonPayload: null }
}
const text = (said: string) => media('text', said)
const voice = (transcript: string | null) => ({ ...media('audio', null), transcript })
const pressed = (buttonPayload: string, label = 'Yes') => ({ ...text(label), buttonPayload })

const change: StatedProposal = {
  id: 'p1',
  kind: 'other',
  stated: 'change the delivery address تغيير عنوان التوصيل',
}
const read = (...messages: SaidMessage[]) => readAgreement(messages, change)

describe.each([
  ['a change', TO_A_CHANGE, change],
  [
    'a cancelling',
    TO_A_CANCELLING,
    {
      id: 'p1',
      kind: 'cancellation',
      stated: 'cancel the order إلغاء الطلب',
    } satisfies StatedProposal,
  ],
])('an answer to %s', (_, lists, proposal) => {
  const cases = Object.entries(lists).flatMap(([means, lines]) =>
    lines.flatMap((line) => line.split('|')).map((said) => [means, said] as const),
  )
  test.each(cases)('%s: %j', (means, said) => {
    expect(readAgreement([text(said)], proposal)).toBe(means)
  })
})

describe('a yes does not count with', () => {
  const oneOf = (lines: readonly string[]) =>
    fc.constantFrom(...lines.flatMap((line) => line.split('|')))
  const anyYes = oneOf(TO_A_CHANGE.agrees)

  test.each([
    ['a question mark', fc.constant('?')],
    ['any word that is not known', fc.stringMatching(/^[b-df-hj-np-tv-z]{6,9}$/)],
    ['any number', fc.nat().map(String)],
  ])('%s', (_, anyMore) => {
    fc.assert(
      fc.property(anyYes, anyMore, fc.boolean(), (said, more, isBefore) => {
        const isFirst = isBefore && more !== '?'
        expect(read(text(isFirst ? `${more} ${said}` : `${said} ${more}`))).toBe('unclear')
      }),
    )
  })

  test('a no in another message', () => {
    const anyNo = oneOf(TO_A_CHANGE.refuses)
    fc.assert(
      fc.property(anyYes, anyNo, fc.boolean(), (yes, no, isFirst) => {
        const said = isFirst ? [no, yes] : [yes, no]
        expect(read(...said.map(text))).toBe('refuses')
      }),
    )
  })

  test('a text longer than any yes', () => {
    expect(read(text('yes '.repeat(125)))).toBe('agrees')
    expect(read(text('yes '.repeat(126)))).toBe('unclear')
  })
})

test.each<[string, SaidMessage[], Agreement]>([
  ['a yes in two', [text('ايوه'), text('👍')], 'agrees'],
  ['a greeting before', [text('السلام عليكم'), text('نعم')], 'agrees'],
  ['thanks behind', [text('ok'), text('thank you')], 'agrees'],
  ['a picture behind', [text('yes'), media('image', null)], 'agrees'],
  ['a sticker behind', [text('نعم'), media('sticker', null)], 'agrees'],
  ['a change behind', [text('yes'), text('but change the size')], 'unclear'],
  ['a question behind', [text('yes'), text('how much is it?')], 'unclear'],
  ['a mark behind', [text('yes'), text('?')], 'unclear'],
  ['a place behind', [text('yes'), media('location', null)], 'unclear'],
  ['putting off behind', [text('ok'), text('wait')], 'unclear'],
  ['a word in pieces', [text('y'), text('e'), text('s')], 'unclear'],
  ['greetings alone', [text('hello'), text('السلام عليكم')], 'unclear'],
  ['nothing', [], 'unclear'],
])('several messages together: %s', (_, messages, means) => expect(read(...messages)).toBe(means))

test.each<[string, SaidMessage[], Agreement]>([
  ['a voice note', [voice('نعم')], 'unclear'],
  ['a voice note that says no', [voice('لا')], 'refuses'],
  ['a voice note that says no, and a yes', [voice('لا'), text('نعم')], 'refuses'],
  ['a voice note that says yes, and a yes', [voice('نعم'), text('نعم')], 'agrees'],
  ['a voice note that was not heard, and a yes', [voice(null), text('نعم')], 'unclear'],
  ['a caption', [media('image', 'yes')], 'unclear'],
  ['a caption that says no', [media('image', 'لا')], 'refuses'],
  ['a document', [media('document', 'ok')], 'unclear'],
  ['a reaction', [media('reaction', '👍')], 'unclear'],
  ['a reaction that frowns on it, and a yes', [text('yes'), media('reaction', '👎')], 'unclear'],
  ['a sticker', [media('sticker', null)], 'unclear'],
])('a message without text never agrees: %s', (_, messages, means) => {
  expect(read(...messages)).toBe(means)
})

test.each<[string, SaidMessage[], Agreement]>([
  ['yes', [pressed('agree:p1')], 'agrees'],
  ['yes, whatever its label', [pressed('agree:p1', 'No')], 'agrees'],
  ['no, whatever its label', [pressed('decline:p1', 'Yes')], 'refuses'],
  ['no and yes', [pressed('decline:p1'), pressed('agree:p1')], 'refuses'],
  ['yes, behind a question', [text('how much is it?'), pressed('agree:p1')], 'agrees'],
  ['yes, and then a change', [pressed('agree:p1'), text('change the size')], 'unclear'],
  ['of another proposal', [pressed('agree:p2', 'نعم')], 'unclear'],
  ['of no proposal', [pressed('agree:', 'نعم')], 'unclear'],
  ['of a flow', [pressed('run:01a1fd55-7a80-7278-823e-2ce24018e90d:a:0', 'نعم')], 'unclear'],
])('a button that is pressed: %s', (_, messages, means) => expect(read(...messages)).toBe(means))
