//! Chrome's trace format, JSON, as Perfetto reads it.
//!
//! A region is an asynchronous slice on the track of its call; it has no end while it is live. Ranges are such slices too: two of a
//! thread may overlap, which slices of threads may not. Marks are instants of their thread, and the live bytes of each heap a
//! counter. Times are in microseconds since the recording began.

use core::fmt::Write as _;

use super::escape::Json;
use super::label::{Call, HeapName, HomeName, Micros, message};
use super::out::Out;
use super::process::Command;
use crate::recording::memory::{Full, Vec, filled, index};
use crate::recording::story::{Change, Home, Step, Story};

/// Writes the story. Writing to `out` does not fail; what goes wrong there is kept there.
pub(crate) fn write(story: &Story<'_>, out: &mut Out<'_>) -> Result<(), Full> {
    let mut trace = Trace { story, out, process: std::process::id(), live: Live::new(story)? };
    trace.start();
    for (done, step) in story.steps.iter().enumerate() {
        trace.out.reached(done, story.steps.len());
        trace.step(step);
    }
    trace.end();
    Ok(())
}

/// The live bytes of heaps, and of the regions of no heap.
struct Live {
    heaps: Vec<u64>,
    nowhere: u64,
}

impl Live {
    fn new(story: &Story<'_>) -> Result<Self, Full> {
        Ok(Self { heaps: filled(0, story.heaps.len())?, nowhere: 0 })
    }

    fn of(&mut self, home: Home) -> &mut u64 {
        match home {
            Home::Heap(heap) => self.heaps.get_mut(index(heap)).unwrap_or(&mut self.nowhere),
            Home::Ground(_) => &mut self.nowhere,
        }
    }
}

struct Trace<'a, 'b> {
    story: &'a Story<'a>,
    out: &'a mut Out<'b>,
    process: u32,
    live: Live,
}

impl Trace<'_, '_> {
    fn start(&mut self) {
        let Self { out, process, .. } = self;
        let _ = writeln!(out, r#"{{"displayTimeUnit":"ns","traceEvents":["#);
        let _ =
            write!(out, r#"{{"ph":"M","pid":{process},"name":"process_name","args":{{"name":"{}"}}}}"#, Json(Command::read()));
        let mut named = [0_u64; 1024];
        for step in &self.story.steps {
            let thread = usize::from(step.at.thread);
            let Some(bits) = named.get_mut(thread / 64) else { continue };
            if *bits >> (thread % 64) & 1 == 0 {
                *bits |= 1 << (thread % 64);
                let _ = write!(
                    out,
                    ",\n{{\"ph\":\"M\",\"pid\":{process},\"tid\":{thread},\"name\":\"thread_name\",\"args\":{{\"name\":\"thread {thread}\"}}}}"
                );
            }
        }
    }

    fn end(&mut self) {
        let Self { out, story, .. } = self;
        let _ = writeln!(
            out,
            "\n],\"otherData\":{{\"recorder\":\"mstx\",\"events_kept\":\"{}\",\"events_dropped\":\"{}\",\"complete_from_us\":\"{}\"}}}}",
            story.kept,
            story.dropped,
            Micros(story.begin)
        );
    }

    /// Begins an event: everything up to its own fields.
    fn event(&mut self, phase: &str, step: &Step) {
        let (process, thread, time) = (self.process, step.at.thread, Micros(step.at.time));
        let _ = write!(self.out, ",\n{{\"ph\":\"{phase}\",\"pid\":{process},\"tid\":{thread},\"ts\":{time}");
    }

    fn step(&mut self, step: &Step) {
        match step.change {
            Change::RegionBegins(region) => self.region(step, region, true),
            Change::RegionEnds(region) => self.region(step, region, false),
            Change::HeapBegins(heap) => self.heap(step, heap, true),
            Change::HeapEnds(heap) => self.heap(step, heap, false),
            Change::HeapResized(resize) => {
                let Some(resize) = self.story.resizes.get(index(resize)) else { return };
                let Some(heap) = self.story.heap(resize.heap) else { return };
                self.event("i", step);
                let (name, size) = (Json(HeapName(self.story.names, heap.class)), resize.size);
                let _ = write!(self.out, r#","s":"p","cat":"heap","name":"{name} resized","args":{{"size":{size}}}}}"#);
            }
            Change::Mark(mark) => {
                let Some(mark) = self.story.marks.get(index(mark)) else { return };
                self.event("i", step);
                let names = self.story.names;
                let (message, domain) = (Json(message(names, mark.message)), Json(domain(self.story, mark.domain)));
                let stream = mark.stream;
                let _ = write!(
                    self.out,
                    r#","s":"t","cat":"mark","name":"{message}","args":{{"domain":"{domain}","stream":{stream}}}}}"#
                );
            }
            Change::RangeBegins(range) => self.range(step, range, true),
            Change::RangeEnds(range) => self.range(step, range, false),
        }
    }

    fn region(&mut self, step: &Step, number: u32, begins: bool) {
        let story = self.story;
        let Some(region) = story.region(number) else { return };
        self.event(if begins { "b" } else { "e" }, step);
        let (name, size, address) = (Json(Call(story.names.get_origin(region.origin))), region.size, region.start);
        let _ = write!(self.out, r#","cat":"region","id2":{{"local":"{number:#x}"}},"name":"{name}""#);
        if begins {
            let home = Json(HomeName(story, region.home));
            let _ = write!(self.out, r#","args":{{"address":"{address:#x}","size":{size},"heap":"{home}","site":"{name}"}}"#);
        }
        let _ = write!(self.out, "}}");
        let live = self.live.of(region.home);
        *live = if begins { live.saturating_add(size) } else { live.saturating_sub(size) };
        self.counter(step, region.home);
    }

    fn heap(&mut self, step: &Step, number: u32, begins: bool) {
        let story = self.story;
        let Some(heap) = story.heap(number) else { return };
        self.event(if begins { "b" } else { "e" }, step);
        let name = Json(HeapName(story.names, heap.class));
        let _ = write!(self.out, r#","cat":"heap","id2":{{"local":"{number:#x}"}},"name":"heap {name}""#);
        if begins {
            let class = story.names.get_class(heap.class);
            let call = Json(Call(class.and_then(|class| story.names.get_origin(class.origin))));
            let device = class.map_or(0, |class| class.device);
            let (address, size) = (heap.start, heap.first_size);
            let _ = write!(self.out, r#","args":{{"address":"{address:#x}","size":{size},"device":{device},"site":"{call}"}}"#);
        }
        let _ = write!(self.out, "}}");
        *self.live.of(Home::Heap(number)) = 0;
        self.counter(step, Home::Heap(number));
    }

    fn counter(&mut self, step: &Step, home: Home) {
        let live = *self.live.of(home);
        self.event("C", step);
        let _ = match home {
            Home::Heap(number) => {
                let heap = self.story.heap(number);
                let name = Json(HeapName(self.story.names, heap.map_or(u32::MAX, |heap| heap.class)));
                let start = heap.map_or(0, |heap| heap.start);
                write!(self.out, r#","name":"bytes in {name} at {start:#x}","args":{{"bytes":{live}}}}}"#)
            }
            Home::Ground(_) => write!(self.out, r#","name":"bytes in no heap","args":{{"bytes":{live}}}}}"#),
        };
    }

    fn range(&mut self, step: &Step, number: u32, begins: bool) {
        let story = self.story;
        let Some(range) = story.ranges.get(index(number)) else { return };
        self.event(if begins { "b" } else { "e" }, step);
        let message = Json(message(story.names, range.message));
        let _ = write!(self.out, r#","cat":"range","id2":{{"local":"{number:#x}"}},"name":"{message}""#);
        if begins {
            let (domain, stream) = (Json(domain(story, range.domain)), range.stream);
            let _ = write!(self.out, r#","args":{{"domain":"{domain}","stream":{stream}}}"#);
        }
        let _ = write!(self.out, "}}");
    }
}

/// The domain of a mark or a range, which may be the default one.
fn domain<'a>(story: &'a Story<'_>, domain: u32) -> &'a str {
    story.names.get_domain(domain).unwrap_or("default")
}
