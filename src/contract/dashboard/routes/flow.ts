import type {
  CreateFlow,
  DraftCheck,
  EditFlow,
  FlowDetail,
  FlowVersionView,
  FlowView,
  ListedVersion,
  PublishedFlow,
  SaveDraft,
  SaveDraftQuery,
  StepCounts,
  TestStep,
  TestedCall,
} from '../flow.ts'
import type { Page, PageQuery } from '../page.ts'
import type { Route } from './route.ts'

export interface FlowRoutes {
  '/companies/:companyId/flows': {
    get: Route<Page<FlowView>, { query: typeof PageQuery }>
    post: Route<FlowDetail, { json: typeof CreateFlow }>
  }
  '/companies/:companyId/flows/:flowId': {
    get: Route<FlowDetail>
    patch: Route<FlowDetail, { json: typeof EditFlow }>
    delete: Route<null>
  }
  '/companies/:companyId/flows/:flowId/draft': {
    put: Route<FlowDetail, { query: typeof SaveDraftQuery; json: typeof SaveDraft }>
  }
  '/companies/:companyId/flows/:flowId/versions': {
    get: Route<Page<ListedVersion>, { query: typeof PageQuery }>
  }
  '/companies/:companyId/flows/:flowId/versions/:number': { get: Route<FlowVersionView> }
  '/companies/:companyId/flows/:flowId/steps/counts': { get: Route<StepCounts> }
  '/companies/:companyId/flows/:flowId/draft/check': { get: Route<DraftCheck> }
  '/companies/:companyId/flows/:flowId/publish': { post: Route<PublishedFlow> }
  '/companies/:companyId/flows/:flowId/steps/:stepId/test': {
    post: Route<TestedCall, { json: typeof TestStep }>
  }
}
