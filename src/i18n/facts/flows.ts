import type { FlowFacts } from '../../core/facts/flows.ts'
import { defineFacts } from '../define-facts.ts'

export const flowFacts = defineFacts<FlowFacts>()({
  en: {
    no_such_flow: 'No flow with this ID.',
    run_has_ended: 'The run has already ended.',
    no_such_run: 'No run with this ID.',
    automations_not_in_plan: 'Automations aren’t included in the {plan} plan.',
    too_many_flows: 'You already have {max} flows, the maximum. Delete one first.',
    flows_used_up: 'The {plan} plan allows {flows} active flows. Switch another one off first.',
    draft_connection_unknown: 'No API connection with this ID.',
    draft_channel_unknown: 'No channel with this ID.',
    no_draft: 'There’s no draft to publish. Save one first.',
    draft_not_publishable: 'The flow has problems to fix before you can publish it.',
  },
  ar: {
    no_such_flow: 'هذا المسار غير موجود في المشروع.',
    run_has_ended: 'انتهى هذا التنفيذ بالفعل.',
    no_such_run: 'هذا التنفيذ غير موجود في المشروع.',
    automations_not_in_plan: 'المسارات غير متاحة في {plan, plan}.',
    too_many_flows: 'بلغت المسارات الحد الأقصى {max}. احذف مسارًا أولًا.',
    flows_used_up:
      'بلغت المسارات المنشورة والمفعّلة حد {plan, plan}: {flows, flow}. أوقف مسارًا آخر أولًا.',
    draft_connection_unknown: 'لا يوجد نظام مرتبط بهذا المعرّف في هذا المشروع.',
    draft_channel_unknown: 'لا توجد قناة بهذا المعرّف في هذا المشروع.',
    no_draft: 'لا توجد مسودة لنشرها. احفظ مسودة أولًا.',
    draft_not_publishable: 'لا يمكن نشر المسار كما هو.',
  },
})
