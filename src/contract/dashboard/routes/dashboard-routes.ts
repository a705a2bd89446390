import type { AccountRoutes } from '../account.ts'
import type { ActionRoutes } from '../action.ts'
import type { AppointmentRoutes } from '../appointment.ts'
import type { AssistantRoutes } from './assistant.ts'
import type { BookingSetupRoutes } from '../booking-setup.ts'
import type { BroadcastRoutes } from '../broadcast.ts'
import type { CalendarLinkRoutes } from '../calendar-link.ts'
import type { CallLogRoutes } from '../call.ts'
import type { CannedReplyRoutes } from './canned-reply.ts'
import type { ChannelRoutes } from '../channel.ts'
import type { CompanyRoutes } from '../company.ts'
import type { ConnectionRoutes } from '../connection.ts'
import type { ContactImportRoutes } from '../contact-import.ts'
import type { ContactRoutes } from '../contact.ts'
import type { ConversationRoutes } from './conversation.ts'
import type { DashboardStateRoutes } from '../dashboard.ts'
import type { DeliveryRoutes } from '../delivery.ts'
import type { EndpointRoutes } from '../endpoint.ts'
import type { FileRoutes } from '../file.ts'
import type { FlowRoutes } from '../flow.ts'
import type { HookUrlRoutes } from '../hook-url.ts'
import type { KnowledgeRoutes } from '../knowledge.ts'
import type { LeadRoutes } from '../lead.ts'
import type { LiveRoutes } from '../live.ts'
import type { MeRoutes } from '../me.ts'
import type { MemberRoutes } from '../member.ts'
import type { ModelRoutes } from '../model.ts'
import type { NoticeRoutes } from '../notice.ts'
import type { OverviewRoutes } from './overview.ts'
import type { PhoneRoutes } from '../phone.ts'
import type { ResendJobRoutes } from '../resend-job.ts'
import type { RunRoutes } from '../run.ts'
import type { SegmentRoutes } from '../segment.ts'
import type { SessionRoutes } from '../session.ts'
import type { SiteRoutes } from '../site.ts'

/** Every route of the dashboard's API by its path below `/api`, with its input and its answer. */
export interface DashboardRoutes
  extends
    AccountRoutes,
    ActionRoutes,
    AppointmentRoutes,
    AssistantRoutes,
    BookingSetupRoutes,
    BroadcastRoutes,
    CalendarLinkRoutes,
    CallLogRoutes,
    CannedReplyRoutes,
    ChannelRoutes,
    CompanyRoutes,
    ConnectionRoutes,
    ContactImportRoutes,
    ContactRoutes,
    ConversationRoutes,
    DashboardStateRoutes,
    DeliveryRoutes,
    EndpointRoutes,
    FileRoutes,
    FlowRoutes,
    HookUrlRoutes,
    KnowledgeRoutes,
    LeadRoutes,
    LiveRoutes,
    MeRoutes,
    MemberRoutes,
    ModelRoutes,
    NoticeRoutes,
    OverviewRoutes,
    PhoneRoutes,
    ResendJobRoutes,
    RunRoutes,
    SegmentRoutes,
    SessionRoutes,
    SiteRoutes {}
