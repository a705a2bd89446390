import type { FileFacts } from '../../core/facts/files.ts'
import { FILE_TYPE_NAMES, namesBySize, type MediaKind } from '../../core/vocabulary/files.ts'
import { written } from '../counted.ts'
import { megabytes } from '../en/files.ts'
import { inArabic, quotedInArabic } from '../isolate.ts'
import { lengthInArabic } from './runs.ts'
import type { Catalog } from '../catalog.ts'

const KINDS: Record<MediaKind, string> = {
  image: 'الصور',
  audio: 'المقاطع الصوتية',
  video: 'مقاطع الفيديو',
  document: 'المستندات',
}

export const AR_FILES: Catalog<FileFacts> = {
  channel_sends_no_files: () => 'هذه القناة لا ترسل ملفات.',
  file_type_not_sendable: ({ mediaType, types, maxBytes }) => {
    const sent = namesBySize(types, maxBytes).map(
      ({ names, max: size }) =>
        `${names.map(inArabic).join('، ')}${size === undefined ? '' : ` بحد أقصى ${inArabic(megabytes(size))}`}`,
    )
    const refused = FILE_TYPE_NAMES[mediaType] ?? mediaType
    return `هذه القناة لا ترسل ملفات ${inArabic(refused)}. الأنواع المتاحة: ${sent.join('؛ ')}.`
  },
  file_too_large_for_channel: ({ bytes, max }) =>
    `حجم الملف ${inArabic(megabytes(bytes))}، وأكبر ما ترسله هذه القناة من نوعه ${inArabic(megabytes(max))}.`,
  media_without_caption: ({ mediaKind }) =>
    `ترسل هذه القناة ${KINDS[mediaKind]} بلا نص. أرسل النص في رسالة مستقلة.`,
  caption_too_long: ({ length, max, unit }) =>
    `النص المرافق للملف أطول من المسموح: طوله ${lengthInArabic(length, unit)}، والحد الأقصى ${written(max)}.`,
  no_such_file: () => 'هذا الملف غير موجود في المشروع.',
  file_not_here_yet: () => 'جارٍ استلام الملف من المزوّد. أعد المحاولة بعد لحظات.',
  file_gone: () => 'لم يعد الملف محفوظًا.',
  file_empty: () => 'الملف فارغ.',
  file_of_message: () =>
    'الملف مرتبط برسالة ويبقى ما دامت الرسالة محفوظة. وما لم يُرسل يُحذف تلقائيًا بعد يوم.',
  file_in_use: ({ flows }) =>
    `الملف مستخدم في مسارات: ${flows.map(quotedInArabic).join('، ')}. أزله منها أولًا.`,
  file_too_large: ({ max }) => `أكبر حجم مسموح للملف ${inArabic(megabytes(max))}.`,
  file_body_type: () =>
    `أرسل الملف كما هو محتوًى للطلب، بنوع المحتوى ${inArabic('application/octet-stream')}.`,
  uploads_full: ({ max }) =>
    `بلغ حجم الملفات المرفوعة في هذا الحساب الحد الأقصى ${inArabic(megabytes(max))}. احذف ملفات لم تعد المسارات ترسلها.`,
  file_differs: () => 'ما أرسله المزوّد يختلف عما أعلنه: البصمة مختلفة.',
  provider_fetches_no_files: () => 'لا يمكن استلام الملفات في هذا النوع من القنوات.',
  store_failed: ({ fault }) => `تعذّر الوصول إلى مخزن الملفات (${inArabic(fault)}).`,
}
