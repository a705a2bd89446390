import type { FlowFacts } from '../../core/facts/flows.ts'
import { countedInArabic } from '../counted.ts'
import { planInArabic } from '../plan-in-arabic.ts'
import type { Catalog } from '../catalog.ts'

export const AR_FLOWS: Catalog<FlowFacts> = {
  no_such_flow: () => 'هذا المسار غير موجود في المشروع.',
  run_has_ended: () => 'انتهى هذا التنفيذ بالفعل.',
  no_such_run: () => 'هذا التنفيذ غير موجود في المشروع.',
  automations_not_in_plan: ({ plan }) => `المسارات غير متاحة في ${planInArabic(plan)}.`,
  flows_used_up: ({ plan, flows }) =>
    `بلغت المسارات المنشورة والمفعّلة حد ${planInArabic(plan)}: ${countedInArabic(flows, 'flow')}. أوقف مسارًا آخر أولًا.`,
  draft_connection_unknown: () => 'لا يوجد نظام مرتبط بهذا المعرّف في هذا المشروع.',
  draft_channel_unknown: () => 'لا توجد قناة بهذا المعرّف في هذا المشروع.',
  no_draft: () => 'لا توجد مسودة لنشرها. احفظ مسودة أولًا.',
  draft_not_publishable: () => 'لا يمكن نشر المسار كما هو.',
}
