// The components of the pages. Each is loaded when it is opened; the service has the browser fetch the first one with the document.
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { MISSING_PAGE, PAGES, type PageRoute, pageAt } from '../../src/domain/pages.ts';

const MODULES = import.meta.glob<Record<string, ComponentType>>('./*/*Page.tsx');

function componentOf({ page }: PageRoute): LazyExoticComponent<ComponentType> {
  const name = page.slice(page.lastIndexOf('/') + 1);
  return lazy(async () => {
    const found = (await MODULES[`./${page}.tsx`]?.())?.[name];
    if (!found) throw new Error(`${page}.tsx has no component ${name}`);
    return { default: found };
  });
}

const COMPONENTS = new Map([...PAGES, MISSING_PAGE].map((page) => [page, componentOf(page)]));

/** The page of a path: its tab's title, unless the page sets its own, and its component. */
export function openPage(path: string): { title: string | null; component: LazyExoticComponent<ComponentType> } {
  const page = pageAt(path);
  const component = COMPONENTS.get(page);
  if (!component) throw new Error(`${page.path} has no component`);
  return { title: page.ownTitle ? null : page.title, component };
}
