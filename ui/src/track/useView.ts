import { type PointerEvent, useCallback, useEffect, useRef, useState } from "react";

const MOST = 4;

interface View {
  scale: number;
  x: number;
  y: number;
}

const FIT: View = { scale: 1, x: 0, y: 0 };

/** Zoom and pan of a drawing: Ctrl and wheel, dragging, or the buttons; a plain wheel scrolls the page. */
export function useView(width: number, height: number) {
  const [view, setView] = useState<View>(FIT);
  const drag = useRef<{ x: number; y: number; from: View } | null>(null);
  const svg = useRef<SVGSVGElement>(null);

  const zoom = useCallback(
    (by: number, atX = width / 2, atY = height / 2) =>
      setView((before) => {
        const scale = Math.min(MOST, Math.max(1, before.scale * by));
        const k = scale / before.scale;
        return held({ scale, x: atX - (atX - before.x) * k, y: atY - (atY - before.y) * k }, width, height);
      }),
    [width, height],
  );

  useEffect(() => {
    const element = svg.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const box = element.getBoundingClientRect();
      zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, event.clientX - box.left, event.clientY - box.top);
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [zoom]);

  return {
    svg,
    zoomed: view.scale > 1,
    transform: `translate(${view.x} ${view.y}) scale(${view.scale})`,
    zoomIn: () => zoom(1.4),
    zoomOut: () => zoom(1 / 1.4),
    fit: () => setView(FIT),
    panning: {
      onPointerDown: (event: PointerEvent) => {
        if (view.scale > 1 && event.button === 0) drag.current = { x: event.clientX, y: event.clientY, from: view };
      },
      onPointerMove: (event: PointerEvent) => {
        const start = drag.current;
        if (!start || event.buttons !== 1) return;
        const { scale, x, y } = start.from;
        setView(held({ scale, x: x + event.clientX - start.x, y: y + event.clientY - start.y }, width, height));
      },
      onPointerUp: () => {
        drag.current = null;
      },
    },
  };
}

/** The drawing always covers its frame. */
function held({ scale, x, y }: View, width: number, height: number): View {
  return { scale, x: Math.min(0, Math.max(width * (1 - scale), x)), y: Math.min(0, Math.max(height * (1 - scale), y)) };
}
