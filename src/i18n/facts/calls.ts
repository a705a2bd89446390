import type { CallFacts } from '../../core/facts/calls.ts'
import { defineFacts } from '../define-facts.ts'

export const callFacts = defineFacts<CallFacts, 'users'>()({
  en: {
    no_such_connection: 'No API connection with this ID.',
    no_such_action: 'No AI action with this ID.',
    no_such_call_step: 'The flow has no “Call your system” step with this ID.',
    connection_changed:
      'Someone else changed this connection while you were editing. Review it before you save.',
    connections_used_up: 'You can have at most {max} API connections. Delete one first.',
    connections_not_in_plan: 'API connections aren’t included in the {plan} plan.',
    connection_in_use: {
      text: 'This connection is in use by {users, unchanged}{more}. Remove it there first.',
      forms: { more: { 0: '', other: ' and {more} more' } },
    },
    headers_not_settable: 'Some of these headers can’t be set.',
    credential_for_other_server:
      'The base URL now leads to another server. Enter the credential again.',
    path_not_callable: 'This path isn’t allowed.',
    actions_used_up: 'You can have at most {max} AI actions. Delete one first.',
    actions_not_in_plan: 'AI actions aren’t included in the {plan} plan.',
    action_name_taken: 'There’s already an AI action called "{name}". Choose another tool name.',
    action_not_callable: 'This action can’t be called yet. Fix the fields below.',
    action_not_testable: 'This action can’t be tested with these values.',
    tests_of_calls_a_minute:
      'You can run {max} connection and action tests a minute. Try again at {freeAt, utc}.',
    call_connection_deleted: 'The connection was deleted. Choose another one.',
    call_connection_off: 'The connection is switched off. Switch it on to make calls again.',
    call_credential_unreadable:
      'The saved credential couldn’t be read. Enter it again, or ask the operator of this service.',
    call_not_in_plan: 'Calls to your API aren’t included in the plan.',
    call_allowance_used_up: 'Today’s {max} calls are used up. Calls resume at midnight UTC.',
    call_no_time_left:
      'Calls between two customer messages can take {seconds} s in total, and that time is used up.',
    call_not_wanted: 'The call was cancelled just before it was made.',
    call_path_refused: 'This path can’t be called. Edit the request.',
    call_path_value_refused:
      'A value in the path is empty, contains /, \\ or .., or produces a . or .. segment.',
    call_path_too_long:
      'With its values filled in, the path and query are longer than {max, plain} characters.',
    call_header_refused:
      'With its values filled in, a header has a line break, is longer than {max, plain} characters, or isn’t allowed.',
    call_body_refused:
      'With its values filled in, the body isn’t a JSON object or array. Edit the request.',
    call_body_too_large:
      'With its values filled in, the body is larger than {kilobytes, plain} KB.',
    call_redirected_to:
      'The server returned {status}, a redirect to {origin}. Redirects aren’t followed, so use the final URL.',
    call_redirected_within:
      'The server returned {status}, a redirect to another path on the same server. Redirects aren’t followed, so use the final URL.',
    call_redirected:
      'Your server returned {status}, a redirect. Redirects aren’t followed, so use the final URL.',
    call_answered: 'Your server returned {status}.',
    call_answer_too_large: 'The response is larger than {kilobytes, plain} KB. Request less data.',
    call_answer_packed: {
      text: 'The response is compressed with {encoding} and couldn’t be decompressed. Use gzip, deflate or br, or no compression.',
      forms: { encoding: { null: 'an unknown encoding', other: '{encoding}' } },
    },
  },
  ar: {
    no_such_connection: 'هذا النظام المرتبط غير موجود في المشروع.',
    no_such_action: 'هذا الإجراء غير موجود في المشروع.',
    no_such_call_step: 'لا توجد في المسار خطوة «طلب إلى نظامك» بهذا المعرّف.',
    connection_changed: 'تغيّر النظام المرتبط أثناء تعديلك. راجعه مرة أخرى.',
    connections_used_up: 'الحد الأقصى للأنظمة المرتبطة في المشروع: {max}. احذف واحدًا أولًا.',
    connections_not_in_plan: 'الأنظمة المرتبطة غير متاحة في {plan, plan}.',
    connection_in_use: {
      text: 'هذا النظام مستخدم في: {users, unchanged}{more}. أزله منها أولًا.',
      forms: { more: { 0: '', other: '، و{more} غيرها' } },
    },
    headers_not_settable: 'لا يمكن تعيين بعض الترويسات.',
    credential_for_other_server: 'عند تغيير الخادم يلزم إدخال بيانات الدخول مرة أخرى.',
    path_not_callable: 'مسار الرابط غير مقبول.',
    actions_used_up: 'الحد الأقصى لإجراءات المساعد في المشروع: {max}. احذف واحدًا أولًا.',
    actions_not_in_plan: 'إجراءات المساعد غير متاحة في {plan, plan}.',
    action_name_taken: 'يوجد في المشروع إجراء باسم «{name}» بالفعل. اختر اسمًا آخر.',
    action_not_callable: 'لا يمكن تنفيذ الإجراء بهذا الشكل.',
    action_not_testable: 'لا يمكن اختبار الإجراء بهذا الشكل.',
    tests_of_calls_a_minute:
      'الحد الأقصى لاختبارات الطلبات في الدقيقة للحساب: {max}. أعد المحاولة من {freeAt, utc}.',
    call_connection_deleted: 'حُذف النظام المرتبط. اختر غيره.',
    call_connection_off: 'النظام المرتبط موقوف. فعّله لإرسال الطلبات من جديد.',
    call_credential_unreadable:
      'تعذّرت قراءة بيانات الدخول المحفوظة. أدخلها مرة أخرى، أو اسأل مشغّل الخدمة.',
    call_not_in_plan: 'الطلبات إلى نظامك غير متاحة في هذه الباقة.',
    call_allowance_used_up:
      'نفدت حصة اليوم من الطلبات ({max, call}، بتوقيت UTC). تتجدّد بعد منتصف الليل بتوقيت UTC.',
    call_no_time_left: 'نفد الوقت المتاح للطلبات بين رسالتين من العميل ({seconds, second}).',
    call_not_wanted: 'أُلغي الطلب قبل إرساله مباشرة.',
    call_path_refused: 'مسار الرابط غير مقبول. عدّل الطلب.',
    call_path_value_refused: 'في مسار الرابط قيمة فارغة، أو فيها `/` أو `\\` أو `..`.',
    call_path_too_long: 'مسار الرابط ومعاملاته بعد ملء القيم أطول من {max, after character}.',
    call_header_refused:
      'في ترويسة بعد ملء القيم سطر جديد أو أكثر من {max, after character}، أو لا يمكن تعيينها.',
    call_body_refused: 'المحتوى بعد ملء القيم ليس كائن JSON ولا قائمة. عدّل الطلب.',
    call_body_too_large: 'المحتوى بعد ملء القيم أكبر من {kilobytes} ك.ب.',
    call_redirected_to:
      'ردّ الخادم بالرمز {status}، وهو إعادة توجيه إلى {origin}. لا نتبع إعادة التوجيه، فاستخدم الرابط النهائي.',
    call_redirected_within:
      'ردّ الخادم بالرمز {status}، وهو إعادة توجيه إلى مسار رابط آخر على الخادم نفسه. لا نتبع إعادة التوجيه، فاستخدم الرابط النهائي.',
    call_redirected: 'كان رد الخادم {status}، وهو إعادة توجيه، ولا نتبعها. استخدم الرابط النهائي.',
    call_answered: 'كان رد الخادم {status}.',
    call_answer_too_large: 'الرد أكبر من {kilobytes} ك.ب. اطلب بيانات أقل.',
    call_answer_packed: {
      text: 'الرد مضغوط بصيغة {encoding} وتعذّر فك ضغطه. أرسله بصيغة `gzip` أو `deflate` أو `br`، أو بلا ضغط.',
      forms: { encoding: { null: 'غير معروفة', other: '{encoding}' } },
    },
  },
})
