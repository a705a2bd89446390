import {
  countSegment,
  createSegment,
  deleteSegment,
  editSegment,
  listSegments,
} from '../../modules/contacts/segments.ts'
import {
  CountSegment,
  CreateSegment,
  EditSegment,
  type SegmentRoutes,
} from '../../contract/dashboard/segment.ts'
import { admins, members } from './access.ts'
import { answer, answerAs } from './answer.ts'
import { body } from './read-input.ts'
import { routes } from './routes.ts'

const ALL = '/companies/:companyId/segments'
const ONE = `${ALL}/:segmentId` as const

export const segmentRoutes = routes<SegmentRoutes>()
  .get(ALL, members(), answer(listSegments))
  .post(ALL, admins(), body(CreateSegment), answerAs(createSegment, 201))
  .post(`${ALL}/count`, admins(), body(CountSegment), answer(countSegment))
  .patch(ONE, admins(), body(EditSegment), answerAs(editSegment))
  .delete(ONE, admins(), answerAs(deleteSegment))
