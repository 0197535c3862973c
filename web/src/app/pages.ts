// The components of the pages. Each is loaded when it is opened; the service has the browser fetch the first one with the document.
import { type ComponentType, lazy } from 'react';
import { MISSING_PAGE, PAGES, type PageRoute, pageAt } from '../../../src/domain/pages.ts';

const MODULES = import.meta.glob<Record<string, ComponentType>>('/src/**/*Page.tsx');

async function load({ page }: PageRoute): Promise<ComponentType> {
  const name = page.slice(page.lastIndexOf('/') + 1);
  const found = (await MODULES[`/src/${page}.tsx`]?.())?.[name];
  if (!found) throw new Error(`${page}.tsx has no component ${name}`);
  return found;
}

const COMPONENTS = new Map<PageRoute, ComponentType>(
  [...PAGES, MISSING_PAGE].map((page) => [page, lazy(async () => ({ default: await load(page) }))]),
);

/** Loads the first page of a visit before anything is drawn, so that it replaces its first frame at once. */
export async function loadFirstPage(path: string): Promise<ComponentType> {
  const page = pageAt(path);
  const component = await load(page);
  COMPONENTS.set(page, component);
  return component;
}

/** The page of a path: its tab's title, unless the page sets its own, and its component. */
export function openPage(path: string): { title: string | null; component: ComponentType } {
  const page = pageAt(path);
  const component = COMPONENTS.get(page);
  if (!component) throw new Error(`${page.path} has no component`);
  return { title: page.ownTitle ? null : page.title, component };
}
