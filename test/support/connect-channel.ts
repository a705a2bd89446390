import type { ConnectedChannel } from '../../src/contract/dashboard/channel.ts'
import type { ChannelType } from '../../src/core/vocabulary/channels.ts'
import type { Member } from './dashboard.ts'

/**
 * Connects a channel of a company as a member does.
 * @throws Error when it is refused
 */
export async function connectChannel(
  member: Pick<Member, 'ask'>,
  companyId: string,
  {
    type,
    name = type,
    credentials = {},
  }: { type: ChannelType; name?: string; credentials?: object },
): Promise<ConnectedChannel> {
  const path = `/companies/${companyId}/channels`
  const made = { type, name, credentials }
  const { status, body } = await member.ask<ConnectedChannel>('POST', path, made)
  if (status !== 201) throw new Error(`connecting ${type}: ${JSON.stringify(body)}`)
  return body
}
