import type { FlowFacts } from '../../facts/flows.ts'
import { countedInArabic } from '../counted.ts'
import { planInArabic } from '../plan-in-arabic.ts'
import type { Sentences } from '../sentences.ts'

export const AR_FLOWS: Sentences<FlowFacts> = {
  no_such_flow: () => 'لا يوجد مسار كهذا في هذا المشروع.',
  run_has_ended: () => 'انتهى هذا التنفيذ من قبل.',
  no_such_run: () => 'لا يوجد تنفيذ كهذا في هذا المشروع.',
  automations_not_in_plan: ({ plan }) => `المسارات ليست من ${planInArabic(plan)}.`,
  flows_used_up: ({ plan, flows }) =>
    `المسارات المنشورة والمفعّلة معًا في ${planInArabic(plan)}: ${countedInArabic(flows, 'flow')}. أوقف مسارًا آخر أولًا.`,
  draft_connection_unknown: () => 'لا يوجد نظام مرتبط بهذا المعرّف في هذا المشروع.',
  draft_channel_unknown: () => 'لا توجد قناة بهذا المعرّف في هذا المشروع.',
  no_draft: () => 'لا مسودة لهذا المسار لتُنشر. احفظ مسودة أولًا.',
  draft_not_publishable: () => 'لا يمكن نشر المسار كما هو.',
}
