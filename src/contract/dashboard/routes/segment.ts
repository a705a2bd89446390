import type { List } from '../page.ts'
import type { CountSegment, CreateSegment, EditSegment, SegmentView } from '../segment.ts'
import type { Route } from './route.ts'

export interface SegmentRoutes {
  '/companies/:companyId/segments': {
    get: Route<List<SegmentView>>
    post: Route<SegmentView, { json: typeof CreateSegment }>
  }
  '/companies/:companyId/segments/count': {
    post: Route<{ count: number }, { json: typeof CountSegment }>
  }
  '/companies/:companyId/segments/:segmentId': {
    patch: Route<SegmentView, { json: typeof EditSegment }>
    delete: Route<null>
  }
}
