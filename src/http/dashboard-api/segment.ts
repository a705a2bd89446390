import {
  countSegment,
  createSegment,
  deleteSegment,
  editSegment,
  listSegments,
} from '../../modules/contacts/segments.ts'
import type { SegmentRoutes } from '../../contract/dashboard/routes/segment.ts'
import { CountSegment, CreateSegment, EditSegment } from '../../contract/dashboard/segment.ts'
import { inCompany } from './access.ts'
import { body, readId } from './read-input.ts'
import { routes } from './routes.ts'

const ALL = '/companies/:companyId/segments'
const ONE = `${ALL}/:segmentId` as const

export const segmentRoutes = routes<SegmentRoutes>()
  .get(ALL, inCompany('owner', 'admin', 'agent'), async (c) =>
    c.json(await listSegments(c.var.context, { companyId: c.var.companyId })),
  )
  .post(ALL, inCompany('owner', 'admin'), body(CreateSegment), async (c) => {
    const { context, actor, companyId } = c.var
    return c.json(await createSegment(context, actor, { companyId, ...c.req.valid('json') }), 201)
  })
  .post(`${ALL}/count`, inCompany('owner', 'admin'), body(CountSegment), async (c) => {
    const { context, companyId } = c.var
    return c.json(await countSegment(context, { companyId, ...c.req.valid('json') }))
  })
  .patch(ONE, inCompany('owner', 'admin'), body(EditSegment), async (c) => {
    const { context, actor, companyId } = c.var
    const segmentId = readId(c.req.param('segmentId'))
    const input = { companyId, segmentId, ...c.req.valid('json') }
    return c.json(await editSegment(context, actor, input))
  })
  .delete(ONE, inCompany('owner', 'admin'), async (c) => {
    const { context, actor, companyId } = c.var
    const segmentId = readId(c.req.param('segmentId'))
    await deleteSegment(context, actor, { companyId, segmentId })
    return c.body(null, 204)
  })
