import type { FileFacts } from '../../facts/files.ts'
import { FILE_TYPE_NAMES, namesBySize, type MediaKind } from '../../vocabulary/files.ts'
import { written } from '../counted.ts'
import { megabytes } from '../en/files.ts'
import { inArabic, quotedInArabic } from '../isolate.ts'
import { lengthInArabic } from './runs.ts'
import type { Sentences } from '../sentences.ts'

const KINDS: Record<MediaKind, string> = {
  image: 'الصور',
  audio: 'المقاطع الصوتية',
  video: 'مقاطع الفيديو',
  document: 'المستندات',
}

export const AR_FILES: Sentences<FileFacts> = {
  channel_sends_no_files: () => 'لا يمكن إرسال ملفات على هذه القناة.',
  file_type_not_sendable: ({ mediaType, types, most }) => {
    const sent = namesBySize(types, most).map(
      ({ names, most: size }) =>
        `${names.map(inArabic).join('، ')}${size === undefined ? '' : ` حتى ${inArabic(megabytes(size))}`}`,
    )
    const refused = FILE_TYPE_NAMES[mediaType] ?? mediaType
    return `لا ترسل هذه القناة ملفات ${inArabic(refused)}. ترسل: ${sent.join('؛ ')}.`
  },
  file_too_large_for_channel: ({ bytes, most }) =>
    `حجم الملف ${inArabic(megabytes(bytes))}، وأكبر ما ترسله هذه القناة من نوعه ${inArabic(megabytes(most))}.`,
  media_without_caption: ({ mediaKind }) =>
    `ترسل هذه القناة ${KINDS[mediaKind]} دون كلام. أرسل الكلام في رسالة وحده.`,
  caption_too_long: ({ length, most, unit }) =>
    `الكلام المرافق للملف أطول من المسموح: طوله ${lengthInArabic(length, unit)}، والحد ${written(most)}.`,
  no_such_file: () => 'لا يوجد ملف كهذا في هذه الشركة.',
  file_not_here_yet: () => 'الملف ما زال في طريقه من المزوّد. حاول بعد لحظات.',
  file_gone: () => 'لم يعد الملف محفوظًا.',
  file_empty: () => 'الملف فارغ.',
  file_of_message: () => 'الملف من رسالة ويبقى ما بقيت. وما لم يُرسل يُحذف وحده بعد يوم.',
  file_in_use: ({ flows }) =>
    `ترسل الملفَّ مسارات: ${flows.map(quotedInArabic).join('، ')}. أخرجه منها أولًا.`,
  file_too_large: ({ most }) => `أكبر حجم مسموح للملف ${inArabic(megabytes(most))}.`,
  file_body_type: () =>
    `يُرسل الملف كما هو في متن الطلب، بنوع المحتوى ${inArabic('application/octet-stream')}.`,
  uploads_full: ({ most }) =>
    `رفع أعضاء هذا الحساب ${inArabic(megabytes(most))}، وهو أكثر ما يُحفظ. احذف ملفات لم تعد المسارات ترسلها.`,
  file_differs: () => 'ما أرسله المزوّد ليس ما أخبر به: بصمته مختلفة.',
  provider_fetches_no_files: () => 'لا يمكن جلب الملفات على هذا النوع من القنوات.',
  store_failed: ({ fault }) => `تعذّر استخدام مخزن الملفات (${inArabic(fault)}).`,
}
