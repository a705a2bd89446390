import type { FileQuery, FileView, UploadQuery } from '../file.ts'
import type { Page } from '../page.ts'
import type { Bytes, Route } from './route.ts'

export interface FileRoutes {
  '/companies/:companyId/files': {
    get: Route<Page<FileView>, { query: typeof FileQuery }>
    post: Route<FileView, { query: typeof UploadQuery }>
  }
  '/companies/:companyId/files/:fileId': {
    get: Route<FileView>
    delete: Route<null>
  }
  '/companies/:companyId/files/:fileId/content': { get: Route<Bytes> }
}
