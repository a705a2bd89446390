import { z } from 'zod'
import { FILE_PURPOSES, type FileState, type MediaKind } from '../../core/vocabulary/files.ts'
import { PageQuery, type Page } from './page.ts'
import type { LocalizedFact } from './localized-fact.ts'
import type { Bytes, Route } from './route.ts'

/** The name and the purpose of an upload. The body is the file itself. */
export const UploadQuery = z.object({
  name: z.string().optional(),
  purpose: z.enum(FILE_PURPOSES).default('message'),
})
export type UploadQuery = z.output<typeof UploadQuery>

export const FileQuery = PageQuery
export type FileQuery = PageQuery

/** A file of a company: from a customer, or uploaded by a member. Its type is determined from its bytes. */
export type FileView = {
  id: string
  state: FileState
  /** Null until it is here. */
  mediaType: string | null
  mediaKind: MediaKind | null
  size: number | null
  name: string | null
  /** The reason why the file never arrived. */
  lostReason: LocalizedFact | null
  createdAt: string
}

export interface FileRoutes {
  '/companies/:companyId/files': {
    get: Route<Page<FileView>, { query: typeof FileQuery }>
    post: Route<FileView, { query: typeof UploadQuery }>
  }
  '/companies/:companyId/files/:fileId': { get: Route<FileView>; delete: Route<null> }
  '/companies/:companyId/files/:fileId/content': { get: Route<Bytes> }
}
