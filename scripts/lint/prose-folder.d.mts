/** Returns the folder under which the failures of a file's prose are counted; `.` for files of the root. */
export function folderOf(file: string): string
