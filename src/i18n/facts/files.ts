import type { FileFacts } from '../../core/facts/files.ts'
import { defineFacts } from '../define-facts.ts'

export const fileFacts = defineFacts<FileFacts>()({
  en: {
    channel_sends_no_files: 'Files can’t be sent on this channel.',
    file_type_not_sendable:
      'This channel doesn’t support {mediaType} files. Supported types: {types, unchanged}.',
    file_too_large_for_channel:
      'The file is {bytes, megabytes}. This channel allows at most {max, megabytes} for this type.',
    media_without_caption:
      'On this channel, {mediaKind} files can’t have a caption. Send the text as a separate message.',
    caption_too_long: {
      text: 'The caption is too long: {unit}. The channel allows at most {max}.',
      forms: { unit: { utf8_bytes: '{length, byte} of UTF-8', other: '{length, character}' } },
    },
    no_such_file: 'No file with this ID.',
    file_not_here_yet:
      'The file is still being downloaded from the provider. Try again in a moment.',
    file_gone: 'This file is no longer stored.',
    file_empty: 'The file is empty.',
    file_of_message:
      'This file belongs to a message and is kept as long as the message. Files that were never sent are deleted after a day.',
    file_in_use: 'Flows use this file: {flows, quoted}. Remove it from them first.',
    file_too_large: 'A file can be at most {max, megabytes}.',
    file_body_type:
      'Send the file itself as the body, with Content-Type: application/octet-stream.',
    uploads_full:
      'Your team has uploaded {max, megabytes}, the maximum. Delete files that flows no longer use.',
    file_differs: 'The provider sent a different file than announced: the checksum doesn’t match.',
    provider_fetches_no_files: 'Files can’t be downloaded on this type of channel.',
    store_failed: 'The file store failed ({fault}).',
  },
  ar: {
    channel_sends_no_files: 'هذه القناة لا ترسل ملفات.',
    file_type_not_sendable:
      'هذه القناة لا ترسل ملفات {mediaType}. الأنواع المتاحة: {types, unchanged}.',
    file_too_large_for_channel:
      'حجم الملف {bytes, megabytes}، وأكبر ما ترسله هذه القناة من نوعه {max, megabytes}.',
    media_without_caption: {
      text: 'ترسل هذه القناة {mediaKind} بلا نص. أرسل النص في رسالة مستقلة.',
      forms: {
        mediaKind: {
          image: 'الصور',
          audio: 'المقاطع الصوتية',
          video: 'مقاطع الفيديو',
          document: 'المستندات',
        },
      },
    },
    caption_too_long: {
      text: 'النص المرافق للملف أطول من المسموح: طوله {unit}، والحد الأقصى {max}.',
      forms: { unit: { utf8_bytes: '{length, byte} بترميز UTF-8', other: '{length, character}' } },
    },
    no_such_file: 'هذا الملف غير موجود في المشروع.',
    file_not_here_yet: 'جارٍ استلام الملف من المزوّد. أعد المحاولة بعد لحظات.',
    file_gone: 'لم يعد الملف محفوظًا.',
    file_empty: 'الملف فارغ.',
    file_of_message:
      'الملف مرتبط برسالة ويبقى ما دامت الرسالة محفوظة. وما لم يُرسل يُحذف تلقائيًا بعد يوم.',
    file_in_use: 'الملف مستخدم في مسارات: {flows, quoted}. أزله منها أولًا.',
    file_too_large: 'أكبر حجم مسموح للملف {max, megabytes}.',
    file_body_type: 'أرسل الملف كما هو محتوًى للطلب، بنوع المحتوى `application/octet-stream`.',
    uploads_full:
      'بلغ حجم الملفات المرفوعة في هذا الحساب الحد الأقصى {max, megabytes}. احذف ملفات لم تعد المسارات ترسلها.',
    file_differs: 'ما أرسله المزوّد يختلف عما أعلنه: البصمة مختلفة.',
    provider_fetches_no_files: 'لا يمكن استلام الملفات في هذا النوع من القنوات.',
    store_failed: 'تعذّر الوصول إلى مخزن الملفات ({fault}).',
  },
})
