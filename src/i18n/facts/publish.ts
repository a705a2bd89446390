import type { PublishFacts } from '../../core/facts/publish.ts'
import { defineFacts } from '../define-facts.ts'

/** The texts of the problems and warnings that a flow's author sees before publishing it. */
export const publishFacts = defineFacts<PublishFacts>()({
  en: {
    in_plan: 'Automations aren’t included in the {plan} plan.',
    flows_of_plan: 'The {plan} plan allows {max, active_flow}. Switch another one off first.',
    calls_not_in_plan:
      'Calling your system isn’t included in the {plan} plan, so these steps take their Failed path.',
    channel_not_chosen: 'Choose the channel this flow runs on.',
    channel_gone: 'The channel this flow runs on no longer exists. Choose another one.',
    channel_connected: 'The channel isn’t connected. Reconnect it.',
    channel_type_sends_nothing: 'Messages can’t be sent on {channelType} channels.',
    channel_type_has_no_templates: '{channelType} channels don’t support templates.',
    start_exists: 'The flow starts at the step "{step}", which doesn’t exist.',
    reachable: 'The step "{step}" can’t be reached from the start.',
    next_exists: '"{exit}" of the step "{step}" leads to "{to}", which doesn’t exist.',
    loop_waits: 'The flow loops back to the step "{step}" without waiting in between.',
    calls_in_a_row:
      'A flow can make at most {max, call} between two customer messages. On the path {calls, quoted}, the last call is one too many.',
    template_first:
      'A flow that messages the customer first must start with a template, but the step "{step}" can come before one.',
    template_first_or_window:
      'The step "{step}" can come before a template, so this flow works only for customers who wrote recently.',
    template_never_sent:
      'A flow that messages the customer first must send a template, but this one never does.',
    reply_window:
      'The step "{step}" can come before the customer replies. It fails if they haven’t written in the last {hours, hour}.',
    variable_set: 'No step before "{step}" sets the variable "{variable}", so it’s empty.',
    text_length: {
      text: 'The message is too long: {unit}. The channel allows at most {max}.',
      forms: { unit: { utf8_bytes: '{length, byte} of UTF-8', other: '{length, character}' } },
    },
    template_version_missing: 'The template "{template}" has no version in {language}.',
    template_version_not_approved:
      'The template "{template}" isn’t approved in {language}: its status is {status}.',
    template_version_not_fillable: {
      text: 'The template "{template}" ({language}) has {part}, which flows can’t fill in.',
      forms: {
        part: {
          header: 'a header of type {type}',
          button: 'a button of type {type}',
          component: 'a component of type {type}',
        },
      },
    },
    template_header_needed: 'The template "{template}" ({language}) needs a value for its header.',
    template_value_needed:
      'The template "{template}" ({language}) needs a value for `{{{variable}}}` in its text.',
    template_link_needed:
      'The template "{template}" ({language}) needs a value for the link of button {index}, "{button}".',
    options_given: 'Add at least one option.',
    options_differ:
      'The option "{label}" has the same label or value as another, so answers would be ambiguous.',
    option_label_length:
      'The option "{label}" is too long. With this many options, the channel shows only {max, character} of each.',
    bounds_in_order: 'The maximum is smaller than the minimum.',
    tags_given: 'Enter a tag to add or remove.',
    field_exists: 'There’s no contact field "{key}". Add it first.',
    member_exists: 'The assignee is no longer a member of this account. Choose someone else.',
    file_exists: 'The file no longer exists. Upload it again, or choose another one.',
    service_bookable:
      'This service can’t be booked. Choose one that’s on and has people or rooms with hours.',
    service_needs_resource: 'The service doesn’t use this person or room. Choose another one.',
    number_to_compare: 'The value to compare with isn’t a number. Enter one, such as 100 or 99.5.',
    list_to_compare: 'The list to compare with is empty. Enter values separated by commas.',
    value_to_compare:
      'The value to compare with is empty. Enter one, or choose “is empty” as the comparison.',
    opening_hours_set: 'Opening hours aren’t set. Set them in Settings first.',
    connection_exists: 'The API connection for this call no longer exists. Choose another one.',
    connection_on:
      'The API connection "{name}" is switched off. Until it’s on, this step takes its Failed path.',
    request_valid: 'The {field} {said, unchanged}.',
  },
  ar: {
    in_plan: '{plan, plan} لا تشمل المسارات.',
    flows_of_plan:
      'بلغت المسارات المنشورة والمفعّلة حد {plan, plan} ({max, flow}). أوقف مسارًا آخر أولًا.',
    calls_not_in_plan: '{plan, plan} لا تشمل الطلبات إلى نظامك: تسلك هذه الخطوات مخرج «فشل».',
    channel_not_chosen: 'اختر القناة التي يعمل عليها المسار.',
    channel_gone: 'لم تعد قناة هذا المسار موجودة.',
    channel_connected: 'القناة غير مرتبطة. أعد ربطها.',
    channel_type_sends_nothing: 'لا يمكن الإرسال عبر قناة من نوع {channelType}.',
    channel_type_has_no_templates: 'القنوات من نوع {channelType} لا تدعم القوالب.',
    start_exists: 'يبدأ المسار بالخطوة «{step}»، وهي غير موجودة.',
    reachable: 'لا يصل المسار إلى الخطوة «{step}».',
    next_exists: 'المخرج «{exit}» من الخطوة «{step}» يؤدي إلى «{to}»، وهي غير موجودة.',
    loop_waits: 'يعود المسار إلى الخطوة «{step}» بلا انتظار بينهما.',
    calls_in_a_row:
      'الحد الأقصى للطلبات إلى نظامك بين رسالتين من العميل {max, call}. آخر خطوة في المسار {calls, quoted} تتجاوزه.',
    template_first: 'المسار الذي يبدأ بمراسلة العميل يجب أن يبدأ بقالب، والخطوة «{step}» قد تسبقه.',
    template_first_or_window:
      'قد تأتي الخطوة «{step}» قبل أي قالب، فلا يبدأ المسار إلا مع عميل نافذة الرد معه مفتوحة.',
    template_never_sent:
      'المسار الذي يبدأ بمراسلة العميل يجب أن يرسل قالبًا، وهذا المسار لا يرسل أي قالب.',
    reply_window:
      'قد تأتي الخطوة «{step}» قبل أن يرد العميل، فتفشل إن لم يكتب خلال {hours, after hour}.',
    variable_set: 'لا تحدد أي خطوة قبل «{step}» قيمة المتغيّر «{variable}»، فهو فارغ.',
    text_length: {
      text: 'الرسالة أطول من المسموح في القناة: طولها {unit}، والحد الأقصى {max}.',
      forms: { unit: { utf8_bytes: '{length, byte} بترميز UTF-8', other: '{length, character}' } },
    },
    template_version_missing: 'لا توجد نسخة من القالب «{template}» باللغة {language}.',
    template_version_not_approved:
      'القالب «{template}» غير معتمد باللغة {language}، وحالته {status}.',
    template_version_not_fillable: {
      text: 'في القالب «{template}» ({language}) جزء لا يمكن للمسار تعبئته: {part}.',
      forms: {
        part: {
          header: 'رأس من نوع {type}',
          button: 'زر من نوع {type}',
          component: 'جزء من نوع {type}',
        },
      },
    },
    template_header_needed: 'القالب «{template}» ({language}) يحتاج إلى قيمة لرأسه.',
    template_value_needed:
      'القالب «{template}» ({language}) يحتاج إلى قيمة لـ `{{{variable}}}` في نصه.',
    template_link_needed:
      'القالب «{template}» ({language}) يحتاج إلى قيمة لرابط الزر «{button}» ({index}).',
    options_given: 'سؤال الاختيار يحتاج إلى خيار واحد على الأقل.',
    options_differ: 'الخيار «{label}» مكرر، باسمه أو بقيمته: لا يمكن التمييز بين الإجابات.',
    option_label_length:
      'الخيار «{label}» أطول من المسموح. الحد الأقصى في القناة بهذا العدد من الخيارات {max, character}.',
    bounds_in_order: 'أكبر قيمة مقبولة أصغر من أصغر قيمة.',
    tags_given: 'حدّد وسمًا للإضافة أو للإزالة.',
    field_exists: 'لا يوجد حقل باسم «{key}» في جهات الاتصال. أضفه أولًا.',
    member_exists: 'العضو المحدد للإسناد لم يعد في الحساب. اختر غيره.',
    file_exists: 'لم يعد الملف موجودًا. ارفعه للمسارات أو اختر غيره.',
    service_bookable: 'لا يمكن حجز هذه الخدمة: اختر خدمة مفعّلة يقدّمها شخص أو غرفة لها ساعات عمل.',
    service_needs_resource: 'مقدّم الخدمة أو الغرفة المحددة ليست ضمن هذه الخدمة.',
    number_to_compare: 'قيمة المقارنة ليست رقمًا. اكتب رقمًا مثل 100 أو 99.5.',
    list_to_compare: 'قائمة المقارنة فارغة. اكتب قيمها وبينها فواصل.',
    value_to_compare: 'قيمة المقارنة فارغة. اكتب قيمة، أو اختر المقارنة «فارغ».',
    opening_hours_set: 'لم تُحدَّد ساعات العمل. حدّدها أولًا.',
    connection_exists: 'النظام المرتبط بهذا الطلب لم يعد موجودًا. اختر غيره.',
    connection_on: 'النظام المرتبط «{name}» موقوف: تسلك الخطوة مخرج «فشل» حتى يُفعَّل.',
    request_valid: '{field}: {said, unchanged}.',
  },
})
