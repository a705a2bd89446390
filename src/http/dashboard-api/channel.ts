import { requireFreshSession } from '../../accounts/load-session.ts'
import { connectChannel } from '../../channels/connect-channel.ts'
import { deleteChannel } from '../../channels/delete-channel.ts'
import { editChannel } from '../../channels/edit-channel.ts'
import { listChannels, showChannel } from '../../channels/list-channels.ts'
import { checkChannel, disconnectChannel, reconnectChannel } from '../../channels/switch-channel.ts'
import { ConnectChannel, EditChannel } from '../../contract/dashboard/channel.ts'
import { PageQuery } from '../../contract/dashboard/page.ts'
import { TemplateQuery } from '../../contract/dashboard/template.ts'
import { listTemplates } from '../../messaging/list-templates.ts'
import { readTemplatesNow } from '../../messaging/read-templates.ts'
import { freshPassword, inCompany } from './access.ts'
import { routes } from './env.ts'
import { body, query, readId } from './read-input.ts'

const SECRET_FIELDS = [
  'accessToken',
  'appSecret',
  'verifyToken',
  'phoneNumberId',
  'businessAccountId',
] as const

const CHANNELS = '/companies/:companyId/channels'
const CHANNEL = `${CHANNELS}/:channelId` as const

export const channelRoutes = routes()
  .get(CHANNELS, inCompany('owner', 'admin'), query(PageQuery), async (c) => {
    const { context, companyId } = c.var
    return c.json(await listChannels(context, { companyId, ...c.req.valid('query') }))
  })
  .post(CHANNELS, inCompany('owner', 'admin'), freshPassword(), body(ConnectChannel), async (c) => {
    const { context, actor, companyId } = c.var
    return c.json(await connectChannel(context, actor, { companyId, ...c.req.valid('json') }), 201)
  })
  .get(CHANNEL, inCompany('owner', 'admin'), async (c) =>
    c.json(await showChannel(c.var.context, owned(c))),
  )
  .patch(CHANNEL, inCompany('owner', 'admin'), body(EditChannel), async (c) => {
    const { context, actor, session } = c.var
    const input = c.req.valid('json')
    // The password is asked for where a secret is set, or what it is for.
    if (SECRET_FIELDS.some((field) => input[field] !== undefined)) {
      requireFreshSession(session, context.clock.now())
    }
    return c.json(await editChannel(context, actor, { ...owned(c), ...input }))
  })
  .delete(CHANNEL, inCompany('owner', 'admin'), async (c) => {
    await deleteChannel(c.var.context, c.var.actor, owned(c))
    return c.body(null, 204)
  })
  .post(`${CHANNEL}/check`, inCompany('owner', 'admin'), async (c) =>
    c.json(await checkChannel(c.var.context, owned(c))),
  )
  .post(`${CHANNEL}/connect`, inCompany('owner', 'admin'), async (c) =>
    c.json(await reconnectChannel(c.var.context, c.var.actor, owned(c))),
  )
  .post(`${CHANNEL}/disconnect`, inCompany('owner', 'admin'), async (c) =>
    c.json(await disconnectChannel(c.var.context, c.var.actor, owned(c))),
  )
  .post(`${CHANNEL}/templates/sync`, inCompany('owner', 'admin'), async (c) =>
    c.json(await readTemplatesNow(c.var.context, c.var.actor, owned(c))),
  )
  .get(
    '/companies/:companyId/templates',
    inCompany('owner', 'admin'),
    query(TemplateQuery),
    async (c) => {
      const { context, companyId } = c.var
      return c.json(await listTemplates(context, { companyId, ...c.req.valid('query') }))
    },
  )

function owned(c: {
  var: { companyId: string }
  req: { param(name: 'channelId'): string | undefined }
}) {
  return { companyId: c.var.companyId, channelId: readId(c.req.param('channelId')) }
}
